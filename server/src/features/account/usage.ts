import type { TranscriptionUsage } from "@reelscript/contract";
import type { z } from "zod";
import type { Account, Allowance, Allowances, PostAllowance, Reports } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import type { Handler } from "../../run.ts";

interface Needs {
  readonly allowances: Allowances;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
}

interface UsageNeeds extends Needs {
  readonly reports: Reports;
  readonly postAllowanceOf: (account: Account) => PostAllowance;
}

export const usage =
  (needs: UsageNeeds): Handler<"getUsage"> =>
  async ({ caller }) => {
    const { account } = caller;
    const { period, limit } = needs.postAllowanceOf(account);
    const [transcriptions, used] = await Promise.all([
      transcriptionUsage(needs, caller),
      needs.reports.postsUsed(account.id, period),
    ]);
    return { plan: account.plan, transcriptions, posts: { used, limit } };
  };

export async function transcriptionUsage(
  { allowances, allowanceOf }: Needs,
  caller: AccountCaller,
): Promise<z.infer<typeof TranscriptionUsage>> {
  const { subject, period, limit, resetsAt } = allowanceOf(caller);
  const { used } = await allowances.read(subject, period);
  return { used, limit, resetsAt: resetsAt?.toISOString() ?? null };
}
