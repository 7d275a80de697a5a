import { ServiceError, type PlanName } from "@reelscript/contract";
import type {
  Account,
  Accounts,
  Allowances,
  Clock,
  Decision,
  Invitation,
  Moderation,
  OperatorQueue,
  Transcriptions,
} from "../../ports.ts";
import type { Handlers } from "../../run/handler.ts";
import type { QuotaScope } from "../../rules/allowance.ts";
import type { SessionCaller } from "../../rules/caller.ts";
import { accountUses, type AccountUse } from "./account-use.ts";
import { canceledByOperator, retryTranscription } from "./retry-transcription.ts";
import { serviceStatus, type StatusNeeds } from "./service-status.ts";

interface OperatorNeeds extends StatusNeeds {
  readonly accounts: Accounts;
  readonly allowances: Allowances;
  readonly moderation: Moderation;
  readonly operatorQueue: OperatorQueue;
  readonly transcriptions: Transcriptions;
  readonly quotaScope: QuotaScope;
  readonly version: string;
  readonly clock: Clock;
  /** Makes a link with which a person sets a password; undefined if people don't sign in by password. */
  readonly invite:
    | ((
        invited: { readonly email: string; readonly plan: PlanName } & Pick<Decision, "by" | "reason">,
      ) => Promise<Invitation & { readonly link: string; readonly isMailed: boolean | undefined }>)
    | undefined;
}

/** How the audit names an operator who used the dashboard. */
const operatorName = ({ account: { id, email } }: SessionCaller): string => (email === "" ? id : `${email} (${id})`);

const noAccount = (): ServiceError => new ServiceError("notFound", "No account has this id.");
const noTranscription = (state: string): ServiceError =>
  new ServiceError("notFound", `No transcription with this id ${state}. It may have ended meanwhile.`);

export function operatorHandlers(needs: OperatorNeeds) {
  const { clock } = needs;
  const decisionOf = (caller: SessionCaller, reason: string): Decision => ({
    by: operatorName(caller),
    reason,
    now: clock.now(),
  });
  return {
    ...statusHandlers(needs),
    ...queueHandlers(needs, decisionOf),
    ...accountHandlers(needs, decisionOf),
  } satisfies Partial<Handlers>;
}

type DecisionOf = (caller: SessionCaller, reason: string) => Decision;

const statusHandlers = (needs: OperatorNeeds) =>
  ({
    getServiceStatus: async () => {
      const { parts, tables, lastBackupAt } = await serviceStatus(needs);
      return {
        parts: parts.map(({ subject, state, text }) => ({ part: subject, state, text })),
        version: needs.version,
        tables: { ...tables, pending: [...tables.pending], newer: [...tables.newer] },
        lastBackupAt,
        invites: needs.invite !== undefined,
      };
    },

    listAudit: async ({ input: { limit } }) => ({
      entries: (await needs.moderation.audit(limit)).map(({ at, by, action, subject, email, reason }) => ({
        at,
        by,
        action,
        subject,
        email,
        reason,
      })),
    }),
  }) satisfies Partial<Handlers>;

function queueHandlers(needs: OperatorNeeds, decisionOf: DecisionOf) {
  const { operatorQueue, transcriptions } = needs;
  return {
    listQueue: async ({ input: { state, account = null, cursor = null, limit } }) => {
      const [page, drainedSince, length] = await Promise.all([
        operatorQueue.list({ state, accountId: account, after: cursor, limit: limit + 1 }),
        operatorQueue.drainedSince(),
        transcriptions.queueLength(),
      ]);
      const transcriptionsOfPage = page.slice(0, limit);
      return {
        length,
        drainedSince: drainedSince ?? null,
        transcriptions: transcriptionsOfPage,
        nextCursor: page.length > limit ? transcriptionsOfPage.at(-1)!.id : null, // safe: the page has at least one
      };
    },

    retryQueued: async ({ input: { id, reason }, caller }) => {
      const retried = await retryTranscription(needs, id, decisionOf(caller, reason));
      switch (retried.kind) {
        case "hurried":
        case "started":
          return { id: retried.id, started: retried.kind === "started" };
        case "unknown":
          throw noTranscription("waits or failed");
        case "inProgress":
        case "limitReached":
          throw new ServiceError(retried.kind, retried.message);
        case "impossible":
          throw new ServiceError("invalidRequest", retried.message);
      }
    },

    cancelQueued: async ({ input: { id, reason }, caller }) => {
      if (await operatorQueue.cancel(id, canceledByOperator, decisionOf(caller, reason))) return { id };
      throw noTranscription("waits or runs");
    },

    drainQueue: async ({ input: { reason }, caller }) => ({
      isNew: await operatorQueue.drain(decisionOf(caller, reason)),
    }),

    resumeQueue: async ({ input: { reason }, caller }) => ({
      isNew: await operatorQueue.resume(decisionOf(caller, reason)),
    }),
  } satisfies Partial<Handlers>;
}

function accountHandlers(needs: OperatorNeeds, decisionOf: DecisionOf) {
  const { accounts, allowances, moderation, quotaScope, clock, invite } = needs;
  return {
    listAccounts: async ({ input: { search, cursor, limit } }) => {
      const page = await accounts.list({ search, after: cursor, limit: limit + 1 });
      const accountsOfPage = page.slice(0, limit);
      const uses = await accountUses(allowances, accountsOfPage, clock.now());
      return {
        accounts: accountsOfPage.map((account) => describeAccount(account, uses.get(account.id)!)), // safe: there is one of each
        quotaScope,
        nextCursor: page.length > limit ? accountsOfPage.at(-1)!.id : null, // safe: the page has at least one
      };
    },

    changeAccountPlan: async ({ input: { id, plan, reason }, caller }) => {
      const changed = await accounts.changePlan(id, plan, decisionOf(caller, reason));
      if (changed === "noAccount") throw noAccount();
      if (changed === "subscribed")
        throw new ServiceError(
          "invalidRequest",
          "The account pays for its plan by a subscription. Change or cancel that at Stripe, and the plan follows.",
        );
      return { id, plan: changed.plan };
    },

    suspendAccount: async ({ input: { id, reason }, caller }) => {
      if (id === caller.account.id)
        throw new ServiceError("invalidRequest", "This is your own account. Only the command line can suspend it.");
      if (await moderation.suspend(id, decisionOf(caller, reason))) return { id };
      throw new ServiceError("notFound", "No account has this id, or it is suspended already.");
    },

    unsuspendAccount: async ({ input: { id, reason }, caller }) => {
      if (await moderation.unsuspend(id, decisionOf(caller, reason))) return { id };
      throw new ServiceError("notFound", "No account has this id, or it isn't suspended.");
    },

    inviteAccount: async ({ input: { email, plan, reason }, caller }) => {
      if (invite === undefined)
        throw new ServiceError(
          "invalidRequest",
          "People don't sign in by password here, so nobody needs an invitation.",
        );
      const invitation = await invite({ email, plan, by: operatorName(caller), reason });
      const { account, isReset, expiresAt, isMailed = null, link } = invitation;
      return { id: account.id, email: invitation.email, plan: account.plan, isReset, expiresAt, isMailed, link };
    },
  } satisfies Partial<Handlers>;
}

function describeAccount(account: Account, { limit, resetsAt, slots }: AccountUse) {
  const { id, email, name, plan, createdAt, suspendedAt = null } = account;
  const sum = (unit: "used" | "held"): number => slots.reduce((total, slot) => total + slot[unit], 0);
  return {
    id,
    email,
    name,
    plan,
    createdAt,
    suspendedAt,
    transcriptions: { used: sum("used"), held: sum("held"), limit, resetsAt },
  };
}
