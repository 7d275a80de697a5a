import { destination, pino, type DestinationStream, type Logger } from "pino";
import { describeError } from "./describe-error.ts";
import { currentScope } from "./request-scope.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** Bytes that wait for a reader that has stopped reading; further lines are dropped, so that nothing else stops. */
const longestBacklog = 8_000_000;

/** One JSON object a line, with the id of the request that it belongs to. */
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
