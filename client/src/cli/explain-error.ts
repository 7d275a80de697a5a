import { restBasePath, ServiceError } from "@reelscript/contract";
import { ConnectionError, RefusedError, UnexpectedAnswer } from "../client-errors.ts";
import type { Wait } from "../retry.ts";
import { UsageError } from "./usage-error.ts";

/** Why a call waits, and for how long. */
export function explainWait({ reason, seconds, attempt }: Wait): string {
  const because = {
    inProgress: "The reel is being transcribed",
    rateLimited: "Too many requests",
    unavailable: "The service is busy",
    network: "The connection failed",
  }[reason];
  return `${because}; trying again in ${seconds} s${attempt > 1 ? ` (wait ${attempt})` : ""}. Ctrl-C stops.`;
}

/** An error for people. */
export function explainError(error: unknown): string {
  if (error instanceof UsageError) {
    const { message, command } = error;
    return `${message}\nSee reelscript ${command === undefined ? "" : `${command.name} `}--help`;
  }
  if (error instanceof ConnectionError)
    return error.reason === "timeout"
      ? error.message
      : `${error.message}\nIs the service running there? --url or REELSCRIPT_URL names another address.`;
  const request = error instanceof RefusedError || error instanceof UnexpectedAnswer ? error.requestId : undefined;
  const suffix = request === undefined ? "" : `\nRequest id: ${request}`;
  if (error instanceof UnexpectedAnswer)
    return `${error.message}\nThe address is that of the service, without ${restBasePath}.${suffix}`;
  if (error instanceof ServiceError) {
    const later = error.retryAfter === undefined ? "" : ` (try again in ${error.retryAfter} s)`;
    return `${error.message} [${error.code}]${later}${error.status >= 500 ? suffix : ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** An error for programs: its code, message and what else is known. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UsageError) return { code: "usage", message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConnectionError) return { code: error.reason, message };
  if (error instanceof UnexpectedAnswer) return { code: "unexpectedAnswer", message, requestId: error.requestId };
  if (!(error instanceof ServiceError)) return { code: "failed", message };
  const { code, reason, retryAfter } = error;
  return { code, message, reason, retryAfter, ...(error instanceof RefusedError && { requestId: error.requestId }) };
}
