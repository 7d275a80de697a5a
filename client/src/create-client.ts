import { buildRequest } from "./build-request.ts";
import { followTranscription, type FollowOptions } from "./follow-transcription.ts";
import type { Input, OperationName, Output, Transcription } from "./operation-types.ts";
import { readAnswer } from "./read-answer.ts";
import { requests } from "./requests.ts";
import { retry, type RetryBounds, type Wait } from "./retry.ts";
import { sendRequest } from "./send-request.ts";
import { readApiKey, readBaseUrl } from "./service-address.ts";
import { sleepFor } from "./sleep-for.ts";
import { transcribeAndFollow } from "./transcribe-and-follow.ts";
import { transcribeReels, type BatchOptions, type ReelOutcome } from "./transcribe-reels.ts";

export interface CallOptions {
  /** Ends the call, also while it waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Longest time for one attempt. 180 unless set: the service itself answers a transcription within 150. */
  readonly timeoutSeconds?: number;
  /**
   * Makes a transcription safe to repeat: the same key with the same input gets the same answer for 24 hours. 1 to 255
   * visible ASCII characters; operations that do not honor one ignore it. With it, lost connections are tried again too.
   */
  readonly idempotencyKey?: string;
}

/** A call that would have to wait is answered at once with how the work goes, where its operation can do so. */
interface AsyncCall<Name extends OperationName> {
  (
    input: Input<Name>,
    options: CallOptions & { readonly respondAsync: true },
  ): Promise<Output<Name> | Output<"getTranscription">>;
}

type AsyncOperation = "transcribeReel" | "retranscribeScript";

type Method<Name extends OperationName> = Name extends AsyncOperation
  ? AsyncCall<Name> & ((input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>)
  : PlainMethod<Name>;

type PlainMethod<Name extends OperationName> =
  {} extends Input<Name>
    ? (input?: Input<Name>, options?: CallOptions) => Promise<Output<Name>>
    : (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;

/**
 * One method per operation of the contract. A call throws `RefusedError` (a `ServiceError`) for an error of the service,
 * `UnexpectedAnswer` for an answer that is not the service's, `ConnectionError` when none came.
 */
type Methods = { readonly [Name in OperationName]: Method<Name> };

/** The methods of all operations, and those that make several requests. */
export interface Client extends Methods {
  /**
   * Follows a transcription by one event stream until it is done or failed; where streams don't get through, it polls, less
   * and less often. Throws `ConnectionError` after 24 hours.
   */
  followTranscription(input: { readonly id: string }, options?: FollowOptions): Promise<Transcription>;
  /**
   * Transcribes a reel, for up to 24 hours, and says how it goes. A transcription that fails throws the error that the
   * plain call would have thrown.
   */
  transcribeAndFollow(input: Input<"transcribeReel">, options?: FollowOptions): Promise<Output<"transcribeReel">>;
  /**
   * Transcribes reels one after another, with one call each, and waits where the service asks to, without an end unless
   * `retry` sets one. A reel that fails doesn't stop the rest. Throws what every other reel would meet too, such as
   * `limitReached`: continue later with the reels that have no result.
   */
  transcribeReels(urls: Iterable<string>, options?: BatchOptions): AsyncGenerator<ReelOutcome, void>;
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

export interface ClientOptions {
  /** Where the service is, without `/api/v1`; may carry a path. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; operations that need none work without. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Bounds of waiting after 409, 429 and 503; `false` never waits. At most 20 waits and 5 minutes per call unless set; calls
   * of `transcribeReels` then have no bounds.
   */
  readonly retry?: RetryBounds | false;
  /** Told of each wait before it begins. */
  readonly onWait?: (wait: Wait) => void;
  /** Waits; must end early, by throwing the signal's reason, when the signal is aborted. */
  readonly sleep?: (seconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** How one call differs from the others. */
interface InnerOptions extends CallOptions {
  readonly respondAsync?: boolean;
  /** Whether it is worth waiting for hours. */
  readonly patient?: boolean;
}

/** Calls an operation and checks that the answer has what it always has. */
export type Call = <Name extends OperationName>(
  name: Name,
  input: Readonly<Record<string, unknown>>,
  options: InnerOptions,
) => Promise<Output<Name> | Transcription>;

/** Follows a transcription to its end. */
export type Follow = (
  input: { readonly id: string },
  options?: FollowOptions & Pick<InnerOptions, "patient">,
) => Promise<Transcription>;

const followedSeconds = 24 * 3_600;

/** A typed client of every operation. Runs in browsers and Node. Throws `TypeError` when the address or key cannot be right. */
export function createClient(options: ClientOptions): Client {
  const service = {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.apiKey === undefined ? undefined : readApiKey(options.apiKey),
  };
  const { fetch: send = globalThis.fetch, onWait = () => undefined, sleep = sleepFor } = options;
  const bounds = options.retry === false ? { waits: 0 } : (options.retry ?? {});
  const boundsOf = (patient = false): RetryBounds =>
    patient ? { totalSeconds: Infinity, waits: Infinity, ...bounds } : bounds;

  const call: Call = async (name, input, { signal, timeoutSeconds = 180, idempotencyKey, respondAsync, patient }) => {
    const shape = requests[name];
    const prefer = respondAsync && shape.respondAsync !== undefined ? ("respond-async" as const) : undefined;
    const request = buildRequest({ http: shape }, input, { ...service, idempotencyKey, prefer });
    const attempt = () => sendRequest(request, { fetch: send, service: service.baseUrl, signal, timeoutSeconds });
    return retry(async () => readAnswer(await attempt(), outputOf(name)), {
      bounds: boundsOf(patient),
      repeatable: patient === true || request.method === "GET" || "idempotency-key" in request.headers,
      patient,
      onWait,
      sleep: (seconds) => sleep(seconds, signal),
    });
  };

  const follow: Follow = async ({ id }, followOptions = {}) => {
    const { signal, patient } = followOptions;
    const inner = { onWait, sleep: (seconds: number) => sleep(seconds, signal) };
    const follower = {
      ...inner,
      fetch: send,
      service: service.baseUrl,
      request: (accept: string) => buildRequest({ http: requests.getTranscription }, { id }, { ...service, accept }),
      outputOf: (body: unknown) => outputOf("getTranscription")(body, "", 200),
      retry: <Result>(attempt: () => Promise<Result>) =>
        retry(attempt, { ...inner, bounds: boundsOf(patient), patient, repeatable: true }),
      totalSeconds: options.retry === false ? 0 : patient ? Infinity : followedSeconds,
    };
    return followTranscription(follower, followOptions);
  };

  const methods = Object.keys(requests).map((name) => [
    name,
    (input: Record<string, unknown> = {}, callOptions: CallOptions = {}) =>
      call(name as OperationName, input, callOptions),
  ]);
  const client = Object.fromEntries(methods) as Methods; // The table has the names of the types.
  return {
    ...client,
    followTranscription: follow,
    transcribeAndFollow: (input, followOptions = {}) => transcribeAndFollow({ call, follow }, input, followOptions),
    transcribeReels: (urls, batchOptions = {}) => transcribeReels({ call, follow }, urls, batchOptions),
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

/** Reads an output off a body; undefined for what lacks something that the output always has. */
function outputOf<Name extends OperationName>(name: Name) {
  return (body: unknown, text: string, status: number): Output<Name> | Transcription | undefined => {
    const { output, bare } = requests[status === 202 ? "getTranscription" : name];
    const value = bare === undefined || status === 202 ? body : { [bare.field]: text };
    const isWhole = typeof value === "object" && value !== null && output.every((field) => field in value);
    return isWhole ? (value as Output<Name>) : undefined;
  };
}
