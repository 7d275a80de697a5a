import type { Transcription } from "@reelscript/contract";
import type { AccountCaller } from "../../caller.ts";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import { describeTranscription } from "./describe-transcription.ts";
import type { QueueNeeds } from "./queue-needs.ts";

/** A transcription that the caller asked for, as it is now. */
export async function readOwnTranscription(
  { store, clock, quotaScope }: Pick<QueueNeeds, "store" | "clock" | "quotaScope">,
  caller: AccountCaller,
  id: string,
): Promise<Transcription | undefined> {
  const found = await store.transcriptions.findOwn(caller.account.id, id);
  if (found === undefined) return undefined;
  const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used } = await store.allowances.read(subject, period);
  return describeTranscription(found, { used, limit });
}
