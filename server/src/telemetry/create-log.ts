import { AsyncLocalStorage } from "node:async_hooks";
import { destination, pino, type DestinationStream } from "pino";
import type { Log, Span } from "./telemetry.ts";

/** Bytes that may wait for a reader that stopped reading; further lines are dropped, so that nothing else blocks. */
const longestBacklog = 8_000_000;

/** One JSON object per line, with the id of its request. */
export function createLog(level: string, stream: DestinationStream = standardError()): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error), cause: (error: unknown) => describeError(error) },
      mixin: (line) => {
        const scope = currentScope();
        return scope === undefined || "requestId" in line ? {} : { requestId: scope.requestId };
      },
    },
    stream,
  );
}

const standardError = (): DestinationStream =>
  destination({ dest: 2, sync: false, minLength: 0, maxLength: longestBacklog });

const longestMessage = 1_000;
const longestStack = 4_000;
const deepestCause = 3;

/** The loggable part of an error. Fields that libraries add to errors are left out: they contain rows, bodies and headers. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cleanText(String(error), longestMessage) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: cleanText(error.message, longestMessage),
    ...(typeof code === "string" && { code: cleanText(code, 100) }),
    ...(error.stack !== undefined && { stack: stackOf(error) }),
    ...(error.cause !== undefined && depth < deepestCause && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Only the frames: the first lines repeat the message. */
function stackOf({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.join("\n").slice(0, longestStack);
}

/** Removes keys, credentials, query strings and pieces of documents. */
function cleanText(text: string, longest: number): string {
  return text
    .slice(0, 4 * longest)
    .replace(/\b(svc_sk_|sk_live_|sk_test_|rk_live_|rk_test_|whsec_)\w+/g, "$1…")
    .replace(/\b(Bearer|Basic)\s+\S+/gi, "$1 …")
    .replace(/\/\/[^\s/@"'<>]+@/g, "//…@")
    .replace(/https?:\/\/[^\s"'<>]+/gi, (url) => url.replace(/[?#].*$/s, "?…"))
    .replace(/(["'“])(?:(?!\1).)*\1?(\.\.\.)?( is not valid JSON)/gs, "…$3")
    .slice(0, longest);
}

/** Facts about a request, collected while it is answered: ids and outcomes, never its contents. */
export interface RequestScope {
  readonly requestId: string;
  operation?: string;
  door?: string;
  accountId?: string;
  keyId?: string;
  cached?: boolean;
  /** The transcription that was started, joined or looked at. */
  transcriptionId?: string;
  /** Seconds that the call waited while others of the same caller were running. */
  waitedSeconds?: number;
  /** The code of the error that the caller got. */
  code?: string;
  /** The reason for a failure that was not the caller's fault. */
  cause?: unknown;
  /** An outside service is unavailable, whatever the status says. */
  isOutage?: true;
  span?: Span | undefined;
  ended: boolean;
}

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = (scope: RequestScope, run: () => void): void => storage.run(scope, run);

/** The request that this code serves; none for work that continues after its answer. */
export function currentScope(): RequestScope | undefined {
  const scope = storage.getStore();
  return scope?.ended === false ? scope : undefined;
}
