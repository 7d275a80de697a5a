import { ServiceError, type Transcription } from "@reelscript/contract";
import type { Clock, Store } from "../../ports.ts";
import { allowanceOfCaller, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler } from "../../run/run.ts";
import { describeTranscription } from "./describe-transcription.ts";
import { waitUntilFinished } from "./wait-until-finished.ts";

interface GetTranscriptionNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
}

/** How a transcription goes; for who asks for changes, until it is finished. */
export const getTranscription =
  ({ store, clock, quotaScope }: GetTranscriptionNeeds): Handler<"getTranscription"> =>
  async ({ input: { id }, caller, signal, deadline, onChange }) => {
    async function read(): Promise<Transcription> {
      const found = await store.transcriptions.findOwn(caller.account.id, id);
      if (found === undefined)
        throw new ServiceError("notFound", "You have no transcription with this id. Cached reels do not create one.");
      const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
      const { used } = await store.allowances.read(subject, period);
      return describeTranscription(found, { used, limit });
    }

    let last = await read();
    if (onChange === undefined || last.finishedAt !== undefined) return last;
    onChange(last);
    const finished = await waitUntilFinished(store, id, {
      signal,
      deadline,
      onState: ({ state: status, progress }) => {
        if (status === last.status && progress === last.progress) return;
        last = { ...last, status, progress };
        onChange(last);
      },
    });
    if (finished === undefined)
      throw new ServiceError("inProgress", "This reel is still being transcribed. Try again.", {
        reason: "transcriptionRunning",
        retryAfter: 1,
      });
    return read();
  };
