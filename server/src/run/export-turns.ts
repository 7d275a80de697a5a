import { ServiceError } from "@reelscript/contract";

/** Limit per process. Each export keeps a page of scripts in memory, at times two. */
const mostAtATime = 16;
const retryAfter = 30;

/**
 * Starts an export of an account, and returns the function that ends it. Throws `rateLimited` while the account has one, and
 * `unavailable` while the process has too many.
 */
export type ExportTurns = (accountId: string) => () => void;

export function createExportTurns(): ExportTurns {
  const running = new Set<string>();
  return (accountId) => {
    if (running.has(accountId))
      throw new ServiceError(
        "rateLimited",
        "Your account is being exported already. Wait until that file is complete.",
        { reason: "tooManyRequests", retryAfter },
      );
    if (running.size >= mostAtATime)
      throw new ServiceError("unavailable", "Too many accounts are being exported. Try again shortly.", { retryAfter });
    running.add(accountId);
    return () => running.delete(accountId);
  };
}
