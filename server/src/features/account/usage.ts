import type { TranscriptionUsage } from "@reelscript/contract";
import type { z } from "zod";
import type { Allowance, Allowances } from "../../ports.ts";
import type { AccountCaller, Handler } from "../../run.ts";

interface Needs {
  readonly allowances: Allowances;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
}

export const usage =
  (needs: Needs): Handler<"getUsage"> =>
  async ({ caller }) => ({ plan: caller.account.plan, transcriptions: await transcriptionUsage(needs, caller) });

export async function transcriptionUsage(
  { allowances, allowanceOf }: Needs,
  caller: AccountCaller,
): Promise<z.infer<typeof TranscriptionUsage>> {
  const { subject, period, limit, resetsAt } = allowanceOf(caller);
  const { used } = await allowances.read(subject, period);
  return { used, limit, resetsAt: resetsAt?.toISOString() ?? null };
}
