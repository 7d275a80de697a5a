import type { OperationRequest } from "@reelscript/contract/requests";
import { type PreparedRequest, sendRequest } from "./build-request.ts";
import { CallError } from "./call-error.ts";
import type { Transcription } from "./operation-types.ts";
import type { Signal } from "./platform-types.ts";
import { isWhole, readAnswer, readRetryAfter } from "./read-answer.ts";
import { isAway, type Wait } from "./retry.ts";

/** Characters of one event; a transcript is far shorter. */
const longestEvent = 4_000_000;

/**
 * Reads server-sent events and gives the data of each. `onPart` is called whenever something arrives, comments included.
 * Throws when an event is endless.
 */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
  onPart: () => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onPart();
    waiting += decoder.decode(part.value, { stream: true });
    const events = waiting.split(/\r\n\r\n|\n\n|\r\r/);
    waiting = events.pop() ?? "";
    if (waiting.length > longestEvent) throw new Error("an event of the stream is endless");
    for (const event of events) {
      const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
      if (lines.length > 0) onData(lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n"));
    }
  }
}

export interface FollowOptions {
  /** Ends following, not the transcription; the call then throws the signal's reason. */
  readonly signal?: Signal | undefined;
  /** Receives the state at the start and at each change. */
  readonly onProgress?: (transcription: Transcription) => void;
  /** A stream on which nothing arrives for so long is given up. 45 unless set: the service sends something every 15. */
  readonly silenceSeconds?: number;
  /** True if it is worth waiting for days. */
  readonly patient?: boolean;
}

/** The parts of a client that following needs. */
export interface Follower {
  readonly fetch: typeof globalThis.fetch;
  /** How errors name the service. */
  readonly service: string;
  readonly request: (accept: string) => PreparedRequest;
  readonly state: OperationRequest;
  /** Tries again after answers that ask for it. */
  readonly retry: <Result>(attempt: () => Promise<Result>) => Promise<Result>;
  readonly sleep: (seconds: number) => Promise<void>;
  readonly onWait: (wait: Wait) => void;
  /** Streams are opened again, or the state polled, for this long. */
  readonly totalSeconds: number;
  /**
   * Pauses double up to this; 300 seconds unless set: a key has 60 requests an hour unless the operator sets more, and may be
   * used for other things.
   */
  readonly longestPause?: number;
  /** Failures in a row after which it ends. */
  readonly failures?: number;
}

const pollSeconds = 30;
/** A stream that lasted so long broke by chance or came to its regular end. */
const steadySeconds = 240;

/**
 * Follows a transcription to its end by one event stream. A stream that breaks is opened again; where something between
 * client and service keeps streams back, the state is polled instead. Throws `CallError` when it takes too long.
 */
export async function followTranscription(follower: Follower, options: FollowOptions): Promise<Transcription> {
  const { signal, onProgress } = options;
  const { service, longestPause = 300, failures: mostFailures = Infinity } = follower;
  let latest: Transcription | undefined;
  const take = (transcription: Transcription): void => {
    const isNew = JSON.stringify(transcription) !== JSON.stringify(latest);
    latest = transcription;
    if (isNew) onProgress?.(transcription);
  };
  let isStreaming = true;
  let breaks = 0;
  let spent = 0;
  let failures = 0;
  for (let wait = 1; ; wait += 1) {
    const started = performance.now();
    const wasStreaming: boolean = isStreaming;
    let retryAfter: number | undefined;
    let failure: unknown;
    try {
      const response = await follower.retry(() => listen(follower, { ...options, take, isStreaming }));
      retryAfter = response.retryAfter;
      failures = 0;
      if (!response.isStream) isStreaming = false;
    } catch (error) {
      signal?.throwIfAborted();
      if (isStreaming && isKeptBack(error)) isStreaming = false;
      else if (latest === undefined || !isLost(error) || failures >= mostFailures) throw error;
      failures += 1;
      failure = error;
    }
    if (latest?.finishedAt !== undefined) return latest;
    const lasted = (performance.now() - started) / 1_000;
    spent += lasted;
    if (spent >= follower.totalSeconds)
      throw (
        failure ?? new CallError("timeout", `The transcription at ${service} is taking very long. It continues there.`)
      );
    if (wasStreaming !== isStreaming || (isStreaming && lasted > steadySeconds)) breaks = 0;
    // The first poll follows immediately: the stream that was held back has had its time.
    if (isKeptBack(failure) && !isStreaming && latest === undefined) continue;
    breaks += 1;
    const seconds = retryAfter ?? Math.min(longestPause, (isStreaming ? 1 : pollSeconds) * 2 ** (breaks - 1));
    if (failure !== undefined) follower.onWait({ reason: "network", seconds, attempt: wait });
    await follower.sleep(seconds);
    spent += seconds;
  }
}

/** One request: a stream until it ends or breaks, or the state as it is now. */
async function listen(
  { fetch, service, request, state }: Follower,
  options: FollowOptions & { readonly take: (transcription: Transcription) => void; readonly isStreaming: boolean },
): Promise<{ readonly isStream: boolean; readonly retryAfter: number | undefined }> {
  const { signal, silenceSeconds = 45, take, isStreaming } = options;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    const give = (): void => silence.abort(new CallError("timeout", `${service} didn't respond.`));
    timer = setTimeout(give, silenceSeconds * 1_000);
  };
  let isStream = false;
  let hasEvents = false;
  wake();
  try {
    const answer = await sendRequest(
      request(isStreaming ? "text/event-stream, application/json;q=0.5" : "application/json"),
      {
        fetch,
        service,
        signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
        read: async (response) => {
          isStream = response.ok && /^text\/event-stream\b/.test(response.headers.get("content-type") ?? "");
          if (!isStream || response.body === null) return response.text();
          await readEvents(
            response.body,
            (data) => {
              take(readEvent(data, state));
              hasEvents = true;
            },
            wake,
          );
          return "";
        },
      },
    );
    if (!isStream) take(readAnswer(answer, state));
    else if (!hasEvents) throw notTheService("The stream ended before its first event.");
    return { isStream, retryAfter: readRetryAfter(answer.response.headers.get("retry-after")) };
  } catch (error) {
    signal?.throwIfAborted();
    if (hasEvents) return { isStream, retryAfter: undefined };
    throw error;
  } finally {
    clearTimeout(timer);
    // Nothing more is read from an answer that was given up.
    silence.abort();
  }
}

function readEvent(data: string, { output }: OperationRequest): Transcription {
  let body: unknown;
  try {
    body = JSON.parse(data);
  } catch {
    // Reported below, like everything else that isn't an event of the service.
  }
  if (isWhole(body, output)) return body as Transcription;
  throw notTheService("The stream has events of somebody else.");
}

const notTheService = (message: string): CallError => new CallError("unexpectedAnswer", message, { status: 200 });

const isLost = (error: unknown): boolean =>
  error instanceof CallError && (error.code === "unreachable" || error.code === "timeout" || isAway(error));

/** True if something between client and service may have swallowed the stream, so that polling may work. */
const isKeptBack = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.code === "unexpectedAnswer" ? error.status === 200 || error.status === 406 : error.code === "timeout");
