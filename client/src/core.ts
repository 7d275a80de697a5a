import type { OperationRequest, OperationRequests } from "@reelscript/contract/requests";
import type { ErrorCode } from "@reelscript/contract/values";
import { buildRequest, sendRequest } from "./build-request.ts";
import { CallError } from "./call-error.ts";
import { followTranscription, type FollowOptions } from "./follow-transcription.ts";
import type { AnyOperationName, Input, Output, Transcription } from "./operation-types.ts";
import type { Fetch, Signal } from "./platform-types.ts";
import { readAnswer } from "./read-answer.ts";
import { retry, type RetryBounds, type Wait, sleepFor } from "./retry.ts";

/** Calls need no schema here: each program or page passes in the requests that it makes. */
export { addressOf } from "./build-request.ts";
export { CallError } from "./call-error.ts";
export type { FollowOptions } from "./follow-transcription.ts";
export type { AnyOperationName, Input, Output, Transcription } from "./operation-types.ts";
export { readAnswer } from "./read-answer.ts";
export { sleepFor, type Wait } from "./retry.ts";

export interface ClientOptions {
  /** Address of the service, without `/api/v1`; may have a path. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; operations that need none work without. */
  readonly apiKey?: string | undefined;
  readonly fetch?: Fetch;
  /**
   * Bounds of waiting after 409, 429 and 503; `false` never waits. At most 20 waits and 5 minutes per call unless set; calls
   * for batches then have no bounds.
   */
  readonly retry?: RetryBounds | false;
  /** Told of each wait before it begins. */
  readonly onWait?: (wait: Wait) => void;
  /** Waits; must end early, by throwing the signal's reason, when the signal is aborted. */
  readonly sleep?: (seconds: number, signal: Signal | undefined) => Promise<void>;
}

export interface CoreOptions<Name extends AnyOperationName> extends ClientOptions {
  /** Below which the operations are; that of the REST interface unless given. */
  readonly basePath?: string;
  readonly requests: OperationRequests<Name>;
  /** How errors name the service; by its address unless given. */
  readonly service?: string;
  /** Limits following where a person is watching: longest pause in seconds, and failures in a row that end it. */
  readonly followPace?: { readonly longestPause: number; readonly failures: number };
}

export interface CallOptions {
  /** Ends the call, also while it waits; the call then throws the signal's reason. */
  readonly signal?: Signal | undefined;
  /** Longest time for one attempt. 180 unless set: the service itself answers a transcription within 150. */
  readonly timeoutSeconds?: number;
  /**
   * Makes a transcription safe to repeat: the same key with the same input gets the same answer for 24 hours. 1 to 255
   * visible ASCII characters; operations that do not honor one ignore it. With it, lost connections are tried again too.
   */
  readonly idempotencyKey?: string;
}

/** How one call differs from the others. */
export interface InnerOptions extends CallOptions {
  /** A call that would have to wait is answered immediately with the state of the work. */
  readonly respondAsync?: boolean;
  /** True if the result is worth hours of waiting. */
  readonly patient?: boolean;
  /** Bounds of this call's waiting; those of all calls unless given. */
  readonly retry?: RetryBounds;
}

interface Call<Name extends AnyOperationName> {
  <Called extends Name>(
    name: Called,
    input: Input<Called>,
    options: InnerOptions & { readonly respondAsync: true },
  ): Promise<Output<Called> | Transcription>;
  <Called extends Name>(name: Called, input: Input<Called>, options?: InnerOptions): Promise<Output<Called>>;
}

/** Everything throws `CallError`, or the reason of the signal that ended it. */
export interface Core<Name extends AnyOperationName> {
  readonly call: Call<Name>;
  /** Follows a transcription to its end. */
  readonly follow: (id: string, options?: FollowOptions) => Promise<Transcription>;
  /** Transcribes a reel and follows it to its result; a transcription that fails throws. */
  readonly transcribe: (
    input: Input<"transcribeReel">,
    options?: TranscribeOptions,
  ) => Promise<Output<"transcribeReel">>;
  /** Waits; ends early, by throwing the signal's reason. */
  readonly sleep: (seconds: number, signal: Signal | undefined) => Promise<void>;
}

export type TranscribeOptions = FollowOptions & Pick<InnerOptions, "timeoutSeconds" | "idempotencyKey">;

const followedSeconds = 24 * 3_600;

export function createCore<Name extends AnyOperationName>(options: CoreOptions<Name>): Core<Name> {
  const { baseUrl, basePath, apiKey, service = baseUrl, fetch = globalThis.fetch } = options;
  const { onWait = () => undefined, sleep = sleepFor } = options;
  const requests: Readonly<Record<string, OperationRequest>> = options.requests;
  const target = { baseUrl, ...(basePath !== undefined && { basePath }), apiKey };
  const state = requests["getTranscription"]!;
  const usual = options.retry === false ? { waits: 0 } : (options.retry ?? {});
  const waiting = (signal: AbortSignal | undefined, patient = false, retryBounds: RetryBounds = usual) => ({
    bounds: patient ? { totalSeconds: Infinity, waits: Infinity, ...retryBounds } : retryBounds,
    patient,
    onWait,
    sleep: (seconds: number) => sleep(seconds, signal),
  });

  async function call(name: string, input: object, inner: InnerOptions = {}): Promise<never> {
    const { signal, timeoutSeconds = 180, idempotencyKey, respondAsync, patient, retry: retryBounds } = inner;
    const shape = requests[name]!;
    const prefer = respondAsync && shape.respondAsync !== undefined ? ("respond-async" as const) : undefined;
    const request = buildRequest(shape, input, { ...target, idempotencyKey, prefer });
    const repeatable = patient === true || request.method === "GET" || "idempotency-key" in request.headers;
    return retry(
      async () => {
        const answer = await sendRequest(request, { fetch, service, signal, timeoutSeconds });
        return readAnswer(answer, answer.response.status === 202 && prefer !== undefined ? state : shape);
      },
      { ...waiting(signal, patient, retryBounds), repeatable },
    );
  }

  const core: Core<Name> = {
    call: call as Call<Name>,
    sleep,
    follow: (id, followOptions = {}) => {
      const { signal, patient } = followOptions;
      const once = waiting(signal, patient);
      return followTranscription(
        {
          ...once,
          fetch,
          service,
          state,
          request: (accept) => buildRequest(state, { id }, { ...target, accept }),
          retry: (attempt) => retry(attempt, { ...once, repeatable: true }),
          totalSeconds: patient ? Infinity : options.retry === false && !options.followPace ? 0 : followedSeconds,
          ...options.followPace,
          ...(patient && { failures: Infinity }),
        },
        followOptions,
      );
    },
    transcribe: async (input, transcribeOptions = {}) => {
      const { onProgress } = transcribeOptions;
      const answer = (await call("transcribeReel", input, { ...transcribeOptions, respondAsync: true })) as
        | Output<"transcribeReel">
        | Transcription;
      if (!("status" in answer)) return answer;
      onProgress?.(answer);
      return resultOf(await core.follow(answer.id, transcribeOptions));
    },
  };
  return core;
}

/** Returns the result of a transcription that has ended, or throws the error that the plain call would have thrown. */
export function resultOf({ result, error }: Transcription): Output<"transcribeReel"> {
  if (result !== undefined) return result;
  const code: ErrorCode = error?.code ?? "internalError";
  throw new CallError(code, error?.message ?? "The transcription ended without a result.", { reason: error?.reason });
}
