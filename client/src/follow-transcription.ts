import type { PreparedRequest } from "./build-request.ts";
import { ConnectionError, UnexpectedAnswer } from "./client-errors.ts";
import type { Transcription } from "./operation-types.ts";
import { readAnswer, readRetryAfter } from "./read-answer.ts";
import { readEvents } from "./read-events.ts";
import { isAway, type Wait } from "./retry.ts";
import { sendRequest } from "./send-request.ts";

export interface FollowOptions {
  /** Ends following, not the transcription; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the state at the start and at each change. */
  readonly onProgress?: (transcription: Transcription) => void;
  /** A stream on which nothing arrives for so long is given up. 45 unless set: the service sends something every 15. */
  readonly silenceSeconds?: number;
}

/** What following needs of a client. */
export interface Follower {
  readonly fetch: typeof globalThis.fetch;
  /** How errors name the service. */
  readonly service: string;
  readonly request: (accept: string) => PreparedRequest;
  readonly outputOf: (body: unknown) => Transcription | undefined;
  /** Tries again after answers that ask for it. */
  readonly retry: <Result>(attempt: () => Promise<Result>) => Promise<Result>;
  readonly sleep: (seconds: number) => Promise<void>;
  readonly onWait: (wait: Wait) => void;
  /** For how long a stream is opened again, or the state polled. */
  readonly totalSeconds: number;
}

const pollSeconds = 30;
/** Pauses double up to this: a key has 60 requests an hour unless the operator sets more, and may be used for other things. */
const longestPause = 300;
/** A stream that lasted so long broke by chance or came to its regular end. */
const steadySeconds = 240;

/**
 * Follows a transcription to its end by one event stream. A stream that breaks is opened again; where something between
 * client and service keeps streams back, the state is polled instead. Throws `ConnectionError` when it takes too long.
 */
export async function followTranscription(follower: Follower, options: FollowOptions): Promise<Transcription> {
  const { signal, onProgress } = options;
  let latest: Transcription | undefined;
  const take = (transcription: Transcription): void => {
    const isNew = JSON.stringify(transcription) !== JSON.stringify(latest);
    latest = transcription;
    if (isNew) onProgress?.(transcription);
  };
  let isStreaming = true;
  let breaks = 0;
  let spent = 0;
  for (let wait = 1; ; wait += 1) {
    const started = performance.now();
    const wasStreaming: boolean = isStreaming;
    let retryAfter: number | undefined;
    let failure: unknown;
    try {
      const heard = await follower.retry(() => listen(follower, { ...options, take, isStreaming }));
      retryAfter = heard.retryAfter;
      if (!heard.isStream) isStreaming = false;
    } catch (error) {
      signal?.throwIfAborted();
      if (isStreaming && isKeptBack(error)) isStreaming = false;
      else if (latest === undefined || !(error instanceof ConnectionError || isAway(error))) throw error;
      failure = error;
    }
    if (latest?.finishedAt !== undefined) return latest;
    const lasted = (performance.now() - started) / 1_000;
    spent += lasted;
    if (spent >= follower.totalSeconds) throw failure ?? tooLong(follower.service);
    if (wasStreaming !== isStreaming || (isStreaming && lasted > steadySeconds)) breaks = 0;
    // What is kept back has been waited for already.
    if (isKeptBack(failure) && !isStreaming && latest === undefined) continue;
    breaks += 1;
    const seconds = retryAfter ?? Math.min(longestPause, (isStreaming ? 1 : pollSeconds) * 2 ** (breaks - 1));
    if (failure !== undefined) follower.onWait({ reason: "network", seconds, attempt: wait });
    await follower.sleep(seconds);
    spent += seconds;
  }
}

interface Heard {
  readonly isStream: boolean;
  readonly retryAfter: number | undefined;
}

/** One request: a stream until it ends or breaks, or the state as it is now. */
async function listen(
  { fetch, service, request, outputOf }: Follower,
  options: FollowOptions & { readonly take: (transcription: Transcription) => void; readonly isStreaming: boolean },
): Promise<Heard> {
  const { signal, silenceSeconds = 45, take, isStreaming } = options;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    const give = (): void => silence.abort(new ConnectionError("timeout", `${service} did not answer.`, undefined));
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
              take(readEvent(data, outputOf, response));
              hasEvents = true;
            },
            wake,
          );
          return "";
        },
      },
    );
    if (!isStream) take(readAnswer(answer, outputOf));
    else if (!hasEvents) throw new UnexpectedAnswer("The stream ended before its first event.", { status: 200 });
    return { isStream, retryAfter: readRetryAfter(answer.response.headers.get("retry-after")) };
  } catch (error) {
    signal?.throwIfAborted();
    if (hasEvents) return { isStream, retryAfter: undefined };
    throw error;
  } finally {
    clearTimeout(timer);
    // Of what was given up nothing more is read.
    silence.abort();
  }
}

function readEvent(data: string, outputOf: Follower["outputOf"], { status }: Response): Transcription {
  let body: unknown;
  try {
    body = JSON.parse(data);
  } catch {
    // Reported below, like everything else that is no event of the service.
  }
  const transcription = outputOf(body);
  if (transcription === undefined) throw new UnexpectedAnswer("The stream has events of somebody else.", { status });
  return transcription;
}

/** Whether something between client and service may have swallowed the stream, so that polling may work. */
const isKeptBack = (error: unknown): boolean =>
  error instanceof UnexpectedAnswer
    ? error.status === 200 || error.status === 406
    : error instanceof ConnectionError && error.reason === "timeout";

const tooLong = (service: string): ConnectionError =>
  new ConnectionError("timeout", `The transcription at ${service} takes very long. It continues.`, undefined);
