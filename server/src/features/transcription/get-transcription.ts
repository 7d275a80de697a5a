import { ServiceError, type Transcription } from "@reelscript/contract";
import type { Handler } from "../../run/run.ts";
import { createSentPassages } from "./sent-passages.ts";
import { waitingOf } from "./describe-transcription.ts";
import type { QueueNeeds } from "./queue-needs.ts";
import { readOwnTranscription } from "./read-own-transcription.ts";
import { waitUntilFinished } from "./wait-until-finished.ts";

/** How a transcription goes; for who asks for changes, until it is finished. */
export const getTranscription =
  (needs: Pick<QueueNeeds, "store" | "clock" | "quotaScope">): Handler<"getTranscription"> =>
  async ({ input: { id }, caller, signal, deadline, onChange }) => {
    async function read(): Promise<Transcription> {
      const found = await readOwnTranscription(needs, caller, id);
      if (found === undefined)
        throw new ServiceError("notFound", "You have no transcription with this id. Cached reels do not create one.");
      return found;
    }

    let last = await read();
    if (onChange === undefined || last.finishedAt !== undefined) return last;
    onChange(last);
    const sent = createSentPassages();
    const finished = await waitUntilFinished(needs.store, id, {
      signal,
      deadline,
      onState: ({ state: status, progress, waits, interim }) => {
        const lacking = sent.lacking(interim);
        const { waitingFor, ...others } = last;
        const isWaiting = waitingFor !== undefined;
        if (status === last.status && progress === last.progress && isWaiting === (waits ?? false) && !lacking) return;
        last = { ...others, status, progress, ...waitingOf({ ...(waits && { waits }) }) };
        if (onChange({ ...last, ...(lacking && { interim: lacking }) })) sent.noteSent(interim);
      },
    });
    if (finished === undefined)
      throw new ServiceError("inProgress", "This reel is still being transcribed. Try again.", {
        reason: "transcriptionRunning",
        retryAfter: 1,
      });
    return read();
  };
