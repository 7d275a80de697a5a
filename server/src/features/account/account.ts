import { isSameConfirmation } from "@reelscript/contract/values";
import { ServiceError } from "@reelscript/contract";
import type { AccountCaller } from "../../rules/caller.ts";
import { rateSubjectOf, allowanceOfCaller, postAllowanceOf, type QuotaScope } from "../../rules/allowance.ts";
import type { Handlers } from "../../run/handler.ts";
import type { SessionRateLimits } from "../../run/admission.ts";
import type { Allowances, Clock, RateLimits, Reports, Accounts } from "../../ports.ts";

interface UsageNeeds {
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
}

interface AccountNeeds extends UsageNeeds {
  readonly rateLimits: RateLimits;
  readonly limitsOf: (caller: Pick<AccountCaller, "kind">) => SessionRateLimits;
  readonly reports: Reports;
  readonly accounts: Accounts;
  /** Ends a paid subscription immediately; does nothing without one. Throws `upstreamError` when the biller is away. */
  readonly endSubscription: (accountId: string) => Promise<void>;
}

export function accountHandlers(needs: AccountNeeds) {
  const { accounts, clock, endSubscription } = needs;
  return {
    getMe: async ({ caller }) => {
      const { account } = caller;
      return {
        account,
        key: caller.kind === "key" ? caller.key : null,
        transcriptions: await transcriptionUsage(needs, caller),
        rateLimits: await callsLeft(needs, caller),
      };
    },

    getUsage: async ({ caller }) => {
      const { account } = caller;
      const { period, limit } = postAllowanceOf(account, needs.clock.now());
      const [transcriptions, used, { default: requests, transcribe }] = await Promise.all([
        transcriptionUsage(needs, caller),
        needs.reports.postsUsed(account.id, period),
        callsLeft(needs, caller),
      ]);
      const thisHour = { requests, transcriptions: transcribe };
      return { plan: account.plan, transcriptions, posts: { used, limit }, thisHour };
    },

    deleteAccount: async ({ input: { confirm }, caller: { account }, whileWaiting }) => {
      const { id, email } = account;
      if (!isSameConfirmation(confirm, email === "" ? id : email))
        throw new ServiceError(
          "invalidRequest",
          email === ""
            ? "`confirm`: must be the id of your account, which has no email address. Nothing was deleted."
            : "`confirm`: must be the email address of your account. Nothing was deleted.",
        );
      // Subscriptions end first, so that nobody keeps paying for a deleted account.
      await whileWaiting(() => endSubscription(id));
      await accounts.remove(id, clock.now());
      return { id };
    },
  } satisfies Partial<Handlers>;
}

const counted = ["default", "transcribe", "bioWrite"] as const;

/** The limits of the rolling hour, and what is left of each. */
async function callsLeft(
  { limitsOf, rateLimits, clock }: Pick<AccountNeeds, "limitsOf" | "rateLimits" | "clock">,
  caller: AccountCaller,
) {
  const limits = limitsOf(caller);
  const buckets = counted.map((name) => ({ name, limit: limits[name] }));
  const states = await rateLimits.peek(rateSubjectOf(caller), buckets, clock.now());
  const left = (name: (typeof counted)[number]) => ({
    limit: limits[name],
    remaining: states.find(({ bucket }) => bucket.name === name)?.remaining ?? limits[name],
  });
  return { default: left("default"), transcribe: left("transcribe"), bioWrite: left("bioWrite") };
}

async function transcriptionUsage({ allowances, clock, quotaScope }: UsageNeeds, caller: AccountCaller) {
  const { subject, period, limit, resetsAt } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used } = await allowances.read(subject, period);
  return { used, limit, resetsAt };
}
