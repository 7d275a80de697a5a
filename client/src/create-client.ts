import { type Operation, type OperationName, operations, type Operations } from "@reelscript/contract";
import type * as z from "zod";
import { buildRequest } from "./build-request.ts";
import { readAnswer } from "./read-answer.ts";
import { retry, type RetryBounds, type Wait } from "./retry.ts";
import { sendRequest } from "./send-request.ts";
import { readApiKey, readBaseUrl } from "./service-address.ts";

/** What an operation takes, by its name in the contract. */
export type Input<Name extends OperationName> = z.input<Operations[Name]["input"]>;

/** What an operation answers, by its name in the contract. */
export type Output<Name extends OperationName> = z.output<Operations[Name]["output"]>;

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
 * One method per operation of the contract. Throws `RefusedError` (a `ServiceError`) for an error of the service,
 * `UnexpectedAnswer` for an answer that is not the service's, `ConnectionError` when none came.
 */
export type Client = { readonly [Name in OperationName]: Method<Name> };

export interface ClientOptions {
  /** Where the service is, without `/api/v1`; may carry a path. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; operations that need none work without. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Bounds of waiting after 409, 429 and 503; `false` never waits. At most 20 waits and 5 minutes per call unless set. */
  readonly retry?: RetryBounds | false;
  /** Told of each wait before it begins. */
  readonly onWait?: (wait: Wait) => void;
  /** Waits; must end early, by throwing the signal's reason, when the signal is aborted. */
  readonly sleep?: (seconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A typed client of every operation. Runs in browsers and Node. Throws `TypeError` when the address or key cannot be right. */
export function createClient(options: ClientOptions): Client {
  const service = {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.apiKey === undefined ? undefined : readApiKey(options.apiKey),
  };
  const { fetch: send = globalThis.fetch, onWait = () => undefined, sleep = sleepFor } = options;
  const bounds = options.retry === false ? { waits: 0 } : (options.retry ?? {});

  const call = async (
    operation: Operation,
    input: Record<string, unknown>,
    { signal, timeoutSeconds = 180, idempotencyKey, respondAsync }: CallOptions & { readonly respondAsync?: boolean },
  ) => {
    const prefer = respondAsync && operation.http.respondAsync !== undefined ? ("respond-async" as const) : undefined;
    const request = buildRequest(operation, input, { ...service, idempotencyKey, prefer });
    const { bare } = operation.http;
    const outputOf = (body: unknown, text: string, status: number) => {
      const output: z.ZodObject = status === 202 ? operations.getTranscription.output : operation.output;
      return output.safeParse(bare === undefined ? body : { [bare.field]: text }).data;
    };
    const attempt = () => sendRequest(request, { fetch: send, service: service.baseUrl, signal, timeoutSeconds });
    return retry(async () => readAnswer(await attempt(), outputOf), {
      bounds,
      repeatable: request.method === "GET" || "idempotency-key" in request.headers,
      onWait,
      sleep: (seconds) => sleep(seconds, signal),
    });
  };

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (input: Record<string, unknown> = {}, callOptions: CallOptions = {}) => call(operation, input, callOptions),
    ]),
  ) as unknown as Client; // The same record gives the names, the schemas and the types.
}

/** Timers of more milliseconds fire at once. */
const longestTimer = 2 ** 31 - 1;

function sleepFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(seconds * 1000, longestTimer),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
