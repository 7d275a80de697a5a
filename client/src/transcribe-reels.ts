import { RefusedError } from "./client-errors.ts";
import type { CallOptions } from "./create-client.ts";
import type { FollowOptions } from "./follow-transcription.ts";
import type { Output } from "./operation-types.ts";
import { transcribeAndFollow, type Transcriber } from "./transcribe-and-follow.ts";

/** What became of one reel of a batch. */
export type ReelOutcome =
  | { readonly url: string; readonly status: "done"; readonly result: Output<"transcribeReel"> }
  | { readonly url: string; readonly status: "failed"; readonly error: RefusedError };

export interface BatchOptions {
  /** Ends the batch; what was sent is still transcribed. */
  readonly signal?: CallOptions["signal"];
  /** For reels of which one speaks another language, leave it out. */
  readonly languageHint?: string;
  /** Receives how the reel goes that is being transcribed. */
  readonly onProgress?: FollowOptions["onProgress"];
}

/** After these, every other reel would fail in the same way, or the reel itself isn't to blame. */
const endingCodes: ReadonlySet<string> = new Set([
  "limitReached",
  "unauthorized",
  "inProgress",
  "rateLimited",
  "unavailable",
]);

/** One outcome for each reel, in the order given; the same address given twice is transcribed once. */
export async function* transcribeReels(
  transcriber: Transcriber,
  urls: Iterable<string>,
  { languageHint, ...options }: BatchOptions,
): AsyncGenerator<ReelOutcome, void> {
  for (const url of new Set(urls)) {
    const input = { url, ...(languageHint !== undefined && { languageHint }) };
    try {
      const result = await transcribeAndFollow(transcriber, input, { ...options, patient: true });
      yield { url, status: "done", result };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof RefusedError) || endingCodes.has(error.code)) throw error;
      yield { url, status: "failed", error };
    }
  }
}
