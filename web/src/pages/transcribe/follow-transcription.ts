import type { Transcription } from "@reelscript/contract";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { operationAddress } from "../../api/operation-address.ts";

const pauseMilliseconds = 3_000;
/** Failed tries in a row after which the person sees an error. */
const mostTries = 8;

const pause = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));

/**
 * Listens to how a transcription goes until it has ended. Where no stream comes through it asks; one that breaks off is
 * taken up again. Throws `ApiError` when the service does not answer for long or does not know it.
 */
export async function followTranscription(
  id: string,
  onChange: (transcription: Transcription) => void,
): Promise<Transcription> {
  for (let tries = 0; ; tries += 1) {
    const finished = await listen(id, (transcription) => {
      tries = 0;
      onChange(transcription);
    });
    if (finished !== undefined) return finished;
    try {
      const now = await call("getTranscription", { id });
      if (now.finishedAt !== undefined) return now;
      tries = 0;
      onChange(now);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || tries >= mostTries) throw error;
    }
    await pause();
  }
}

/** `undefined` when the stream ends before the transcription does. */
const listen = async (
  id: string,
  onChange: (transcription: Transcription) => void,
): Promise<Transcription | undefined> =>
  new Promise((resolve) => {
    const stream = new EventSource(operationAddress("getTranscription", { id }));
    const read = (event: MessageEvent<string>): Transcription => JSON.parse(event.data) as Transcription;
    const end = (transcription?: Transcription): void => {
      stream.close();
      resolve(transcription);
    };
    stream.addEventListener("progress", (event) => onChange(read(event)));
    stream.addEventListener("finished", (event) => end(read(event)));
    stream.addEventListener("error", () => end());
  });
