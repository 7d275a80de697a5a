import type { Clock, ServicePart } from "../../ports.ts";
import type { Config } from "../../settings/config.ts";

export interface CheckNeeds {
  readonly config: Config;
  /** Faults in the settings that would stop a start of the service, one sentence each. */
  readonly settingProblems: readonly string[];
  readonly clock: Clock;
}

export type Check = (needs: CheckNeeds) => Promise<readonly ServicePart[]>;

/** Longest wait for another machine. */
export const patienceMilliseconds = 8_000;

/** The cause of a failed request, without its address, which may contain a password. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" && cause.message === "" ? cause.code : cause.message;
}
