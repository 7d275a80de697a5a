import { programRequests } from "@reelscript/contract/requests";
import { createCore, type CallOptions, type ClientOptions, type TranscribeOptions } from "./core.ts";
import { type BatchOptions, followBatch, type ReelOutcome, sendBatches, transcribeReels } from "./follow-batch.ts";
import type { FollowOptions } from "./follow-transcription.ts";
import type { Input, OperationName, Output, Transcription } from "./operation-types.ts";

type AsyncOperation = "transcribeReel" | "retranscribeScript";

type Method<Name extends OperationName> = Name extends AsyncOperation
  ? AsyncMethod<Name> & PlainMethod<Name>
  : PlainMethod<Name>;

/** Operations that can respond without waiting then return the progress of the work. */
type AsyncMethod<Name extends OperationName> = (
  input: Input<Name>,
  options: CallOptions & { readonly respondAsync: true },
) => Promise<Output<Name> | Transcription>;

type PlainMethod<Name extends OperationName> =
  {} extends Input<Name>
    ? (input?: Input<Name>, options?: CallOptions) => Promise<Output<Name>>
    : (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;

/**
 * One method per operation of the contract. A call throws `CallError`, or the reason of its signal.
 */
type Methods = { readonly [Name in OperationName]: Method<Name> };

/** The methods of all operations, and those that make several requests. */
export interface Client extends Methods {
  /**
   * Follows a transcription by one event stream until it is done or failed; where streams don't get through, it polls, less
   * and less often. Throws after 24 hours.
   */
  followTranscription(input: { readonly id: string }, options?: FollowOptions): Promise<Transcription>;
  /**
   * Transcribes a reel, for up to 24 hours, and says how it goes. A transcription that fails throws the error that the
   * plain call would have thrown.
   */
  transcribeAndFollow(input: Input<"transcribeReel">, options?: TranscribeOptions): Promise<Output<"transcribeReel">>;
  /**
   * Transcribes reels by batches of up to 100, which the service continues without the caller. Each reel has one outcome, as
   * soon as it ends, and one that fails doesn't stop the rest; those beyond the quota fail with `limitReached`. Waits where
   * the service asks to, without an end unless `retry` sets one.
   */
  transcribeReels(urls: Iterable<string>, options?: BatchOptions): AsyncGenerator<ReelOutcome, void>;
  /** Sends links in their order, as batches of up to 100, and gives their ids; `followBatch` continues from there. */
  sendBatches(
    urls: Iterable<string>,
    options?: Pick<BatchOptions, "languageHint" | "signal">,
  ): Promise<readonly { readonly id: string }[]>;
  /** Gives the outcomes of a batch that was sent before, those that ended already first. */
  followBatch(
    input: { readonly id: string },
    options?: Omit<BatchOptions, "languageHint">,
  ): AsyncGenerator<ReelOutcome, void>;
  /** All scripts that match, read page by page as they are needed. */
  allScripts(
    input?: Omit<Input<"searchMyScripts">, "cursor">,
    options?: CallOptions,
  ): AsyncGenerator<Output<"searchMyScripts">["scripts"][number], void>;
  /** All reports, read page by page as they are needed. */
  allCompetitorReports(
    input?: Omit<Input<"listCompetitorReports">, "cursor">,
    options?: CallOptions,
  ): AsyncGenerator<Output<"listCompetitorReports">["reports"][number], void>;
}

/** A typed client of every operation. Runs in browsers and Node. Throws `TypeError` when the address or key cannot be right. */
export function createClient(options: ClientOptions): Client {
  const core = createCore({
    ...options,
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.apiKey === undefined ? undefined : readApiKey(options.apiKey),
    requests: programRequests,
  });
  const names = Object.keys(programRequests) as OperationName[];
  const methods = names.map((name) => [
    name,
    (input: Input<typeof name> = {}, callOptions?: CallOptions) => core.call(name, input, callOptions),
  ]);
  const client = Object.fromEntries(methods) as Methods; // The table has the names of the types.
  return {
    ...client,
    followTranscription: ({ id }, followOptions) => core.follow(id, followOptions),
    transcribeAndFollow: core.transcribe,
    transcribeReels: (urls, batchOptions) => transcribeReels(core, urls, batchOptions),
    sendBatches: (urls, batchOptions = {}) => sendBatches(core, urls, batchOptions),
    followBatch: ({ id }, batchOptions) => followBatch(core, id, batchOptions),
    async *allScripts(input = {}, callOptions = {}) {
      for await (const { scripts } of pages(client.searchMyScripts, { limit: 50, ...input }, callOptions))
        yield* scripts;
    },
    async *allCompetitorReports(input = {}, callOptions = {}) {
      for await (const { reports } of pages(client.listCompetitorReports, input, callOptions)) yield* reports;
    },
  };
}

/** Each page of a list, until there is no next one. */
async function* pages<Question extends object, Page extends { readonly nextCursor?: string | undefined }>(
  read: (input: Question & { readonly cursor?: string }, options: CallOptions) => Promise<Page>,
  input: Question,
  options: CallOptions,
): AsyncGenerator<Page, void> {
  for (let cursor: string | undefined; ;) {
    const page = await read({ ...input, ...(cursor !== undefined && { cursor }) }, options);
    yield page;
    if (page.nextCursor === undefined || page.nextCursor === cursor) return;
    cursor = page.nextCursor;
  }
}

/** Checks the address of the service, everything before `/api/v1`, and removes trailing slashes. */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `The address of the service must be an http(s) URL such as http://127.0.0.1:8787, not "${text}".`,
    );
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The address of the service must not carry a user name or password.");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Checks that a key can be sent at all, so that a stray line break is not mistaken for a broken connection. */
function readApiKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError(
      "The API key must be one word of visible ASCII characters, exactly as shown when you created it.",
    );
  return key;
}
