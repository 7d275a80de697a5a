import type { AccountCaller } from "../../caller.ts";
import { Accepted } from "../../run/accepted.ts";
import type { QueueNeeds } from "./queue-needs.ts";
import { readOwnTranscription } from "./read-own-transcription.ts";

/** Answers a caller who does not wait with the transcription that is under way. */
export async function acceptTranscription(
  needs: Pick<QueueNeeds, "store" | "clock" | "quotaScope">,
  caller: AccountCaller,
  id: string,
): Promise<Accepted> {
  const found = await readOwnTranscription(needs, caller, id);
  if (found === undefined) throw new Error(`transcription ${id} is gone`);
  return new Accepted(found);
}
