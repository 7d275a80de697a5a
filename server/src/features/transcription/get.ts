import { ServiceError, type Transcription } from "@reelscript/contract";
import type { Allowance, Store } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import type { Handler } from "../../run.ts";
import { describeTranscription } from "./describe-transcription.ts";
import { waitUntilFinished } from "./wait-until-finished.ts";

interface Needs {
  readonly store: Store;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
}

/** How a transcription goes; for who asks for changes, until it is finished. */
export const get =
  ({ store, allowanceOf }: Needs): Handler<"getTranscription"> =>
  async ({ input: { id }, caller, signal, deadline, onChange }) => {
    async function read(): Promise<Transcription> {
      const found = await store.transcriptions.findOwn(caller.account.id, id);
      if (found === undefined)
        throw new ServiceError(
          "notFound",
          "You have asked for no transcription with this id. Reels that came from the cache have none.",
        );
      const { subject, period, limit } = allowanceOf(caller);
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
      throw new ServiceError("inProgress", "This reel is still being transcribed. Ask again.", { retryAfter: 1 });
    return read();
  };
