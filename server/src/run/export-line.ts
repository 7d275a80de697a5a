import { ServiceError } from "@reelscript/contract";
import { createFairLine, type FairLine } from "../rules/fair-line.ts";

/** Each export keeps a page of scripts in memory, at times two. */
const limits = { atATime: 16, perOwner: 1, waiting: 0 };
const retryAfter = 30;

/** Exports of accounts. Throws `rateLimited` while the account has one, and `unavailable` while the process has too many. */
export const createExportLine = (): FairLine =>
  createFairLine({
    ...limits,
    refusal: (reason) =>
      reason === "owners"
        ? new ServiceError("rateLimited", "Your account is being exported already. Wait until that file is complete.", {
            reason: "tooManyRequests",
            retryAfter,
          })
        : new ServiceError("unavailable", "Too many accounts are being exported. Try again shortly.", { retryAfter }),
  });
