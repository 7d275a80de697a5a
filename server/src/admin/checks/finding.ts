import type { OperatorAccess } from "../command.ts";

/** The verdict on one thing that the service relies upon. */
export interface Finding {
  readonly subject: string;
  /** `wrong` doesn't get right by waiting; `away` gave no answer; `note` works, and may surprise. */
  readonly state: "ok" | "note" | "away" | "wrong";
  /** A sentence, which ends with the remedy where there is one. */
  readonly text: string;
}

export type Check = (
  access: Pick<OperatorAccess, "config" | "settingProblems" | "clock">,
) => Promise<readonly Finding[]>;

/** Longest wait for another machine. */
export const patienceMilliseconds = 8_000;

/** The cause behind a failed request, without what it asked for, which may hold a password. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" && cause.message === "" ? cause.code : cause.message;
}
