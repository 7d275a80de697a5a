import { mostBatchLinks } from "@reelscript/contract/values";
import { CallError } from "./call-error.ts";
import type { Core } from "./core.ts";
import type { Output } from "./operation-types.ts";
import type { Signal } from "./platform-types.ts";

type Batch = Output<"getBatch">;
type BatchLink = Batch["links"][number];

/** One reel of a batch, with its result or error. */
export type ReelOutcome =
  | {
      readonly url: string;
      readonly status: "done";
      readonly result: {
        /** Undefined if the script was deleted meanwhile. */
        readonly transcript: string | undefined;
        readonly language: string | undefined;
        readonly cached: boolean;
        readonly scriptId: string | undefined;
      };
    }
  | { readonly url: string; readonly status: "failed"; readonly error: CallError };

export interface BatchOptions {
  /** Ends following; the service continues with the batch. */
  readonly signal?: Signal | undefined;
  /** Omit it if any reel is in another language. */
  readonly languageHint?: string | undefined;
  /** Receives the state of a batch each time that it is read. */
  readonly onProgress?: (batch: Batch) => void;
  /** Pauses between two looks double up to this, in seconds; 10 unless set. */
  readonly longestPause?: number;
}

/** The parts of a client that batches need. */
export type BatchService = Pick<Core<"createBatch" | "getBatch" | "searchMyScripts">, "call" | "sleep">;

/** A request reads at most so many scripts. */
const scriptsAtATime = 20;
const firstPause = 2;
/** Following doesn't use up the requests of a key. */
const usualLongestPause = 10;
const longestWait = 300;

/**
 * Transcribes reels by batches of the service, which continue without the caller. Outcomes come as they end; a reel that
 * fails doesn't stop the rest.
 */
export async function* transcribeReels(
  service: BatchService,
  urls: Iterable<string>,
  options: BatchOptions = {},
): AsyncGenerator<ReelOutcome, void> {
  for (const { id } of await sendBatches(service, urls, options)) yield* followBatch(service, id, options);
}

/** Sends links in their order, as many batches as they need; links of an open batch give that one. */
export async function sendBatches(
  { call }: Pick<BatchService, "call">,
  urls: Iterable<string>,
  { languageHint, signal }: BatchOptions,
): Promise<readonly { readonly id: string }[]> {
  const rest = [...new Set(urls)];
  const batches: { readonly id: string }[] = [];
  while (rest.length > 0) {
    const input = { urls: rest.splice(0, mostBatchLinks), ...(languageHint !== undefined && { languageHint }) };
    // oxlint-disable-next-line no-await-in-loop -- the order of the batches is that of the links
    const { id } = await call("createBatch", input, { signal, patient: true });
    batches.push({ id: id! }); // safe: only a dry run has none
  }
  return batches;
}

/** Follows a batch to its end. Each reel has one outcome, as soon as it ends; a canceled one has none. */
export async function* followBatch(
  service: BatchService,
  id: string,
  { signal, onProgress, longestPause = usualLongestPause }: BatchOptions = {},
): AsyncGenerator<ReelOutcome, void> {
  const given = new Set<string>();
  for (let looks = 0; ; looks += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each look follows the one before
    const batch = await service.call("getBatch", { id }, { signal, patient: true });
    onProgress?.(batch);
    const ended = batch.links.filter(
      ({ url, status }) => (status === "done" || status === "failed") && !given.has(url),
    );
    for (let from = 0; from < ended.length; from += scriptsAtATime) {
      const links = ended.slice(from, from + scriptsAtATime);
      // oxlint-disable-next-line no-await-in-loop -- the outcomes come in order
      const outcomes = await readOutcomes(service, links, signal);
      for (const { url } of links) given.add(url);
      yield* outcomes;
    }
    if (batch.status === "finished") return;
    // oxlint-disable-next-line no-await-in-loop -- each look follows the one before
    await service.sleep(pauseOf(batch, looks, longestPause), signal);
  }
}

async function readOutcomes(
  { call }: Pick<BatchService, "call">,
  links: readonly BatchLink[],
  signal: Signal | undefined,
): Promise<readonly ReelOutcome[]> {
  const ids = [...new Set(links.flatMap(({ scriptId }) => scriptId ?? []))];
  const { scripts } =
    ids.length === 0
      ? { scripts: [] }
      : await call("searchMyScripts", { ids: ids.join(",") }, { signal, patient: true });
  return links.map(({ url, status, cached = false, scriptId, error }) => {
    if (status === "done") {
      const script = scripts.find((one) => one.id === scriptId);
      const { transcript, language } = script ?? {};
      return { url, status: "done", result: { transcript, language, cached, scriptId } };
    }
    const { code, message, reason } = error ?? { code: "internalError", message: "The reel failed without an error." };
    return { url, status: "failed", error: new CallError(code, message, { reason }) };
  });
}

/** Seconds until the next look: when the batch should be done, or its hour has room again, or twice as long as before. */
function pauseOf({ secondsLeft, continuesAt }: Batch, looks: number, longestPause: number): number {
  const longer = Math.min(longestPause, firstPause * 2 ** looks);
  if (continuesAt !== undefined)
    return Math.min(longestWait, Math.max(longer, Math.ceil((Date.parse(continuesAt) - Date.now()) / 1_000)));
  return secondsLeft === undefined ? longer : Math.max(firstPause, Math.min(longer, secondsLeft));
}
