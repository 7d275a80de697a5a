import { restBasePath } from "@reelscript/contract/values";
import { CallError } from "../call-error.ts";
import type { Wait } from "../retry.ts";
import type { Command } from "./command.ts";

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help is worth reading, if one was recognized. */
  readonly command: Pick<Command, "name"> | undefined;

  constructor(message: string, command?: Pick<Command, "name">) {
    super(message);
    this.command = command;
  }
}

/** Says why a call waits, and for how long. */
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
  if (isDiskFull(error)) return "The disk is full. Free some space, and run the same command again.";
  if (!(error instanceof CallError)) return error instanceof Error ? error.message : String(error);
  const { code, message, status, retryAfter, requestId } = error;
  const suffix = requestId === undefined ? "" : `\nRequest id: ${requestId}`;
  if (code === "timeout") return message;
  if (code === "unreachable")
    return `${message}\nIs the service running there? --url or REELSCRIPT_URL names another address.`;
  if (code === "unexpectedAnswer")
    return `${message}\nThe address is that of the service, without ${restBasePath}.${suffix}`;
  const later = retryAfter === undefined ? "" : ` (try again in ${retryAfter} s)`;
  return `${message} [${code}]${later}${status >= 500 ? suffix : ""}`;
}

/** Or the share of it that the user may have. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");

/** An error for programs: its code, message and other known details. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UsageError) return { code: "usage", message: error.message };
  if (!(error instanceof CallError)) return { code: "failed", message: explainError(error) };
  const { code, message, reason, retryAfter, requestId } = error;
  return { code, message, reason, retryAfter, requestId };
}
