import type { TranscriptionUsage } from "@reelscript/contract";
import type { z } from "zod";
import type { Allowances, Clock, Reports } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import { allowanceOfCaller, postAllowanceOf, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler } from "../../run/run.ts";

interface TranscriptionUsageNeeds {
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
}

interface GetUsageNeeds extends TranscriptionUsageNeeds {
  readonly reports: Reports;
}

export const getUsage =
  (needs: GetUsageNeeds): Handler<"getUsage"> =>
  async ({ caller }) => {
    const { account } = caller;
    const { period, limit } = postAllowanceOf(account, needs.clock.now());
    const [transcriptions, used] = await Promise.all([
      transcriptionUsage(needs, caller),
      needs.reports.postsUsed(account.id, period),
    ]);
    return { plan: account.plan, transcriptions, posts: { used, limit } };
  };

export async function transcriptionUsage(
  { allowances, clock, quotaScope }: TranscriptionUsageNeeds,
  caller: AccountCaller,
): Promise<z.infer<typeof TranscriptionUsage>> {
  const { subject, period, limit, resetsAt } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used } = await allowances.read(subject, period);
  return { used, limit, resetsAt: resetsAt?.toISOString() ?? null };
}
