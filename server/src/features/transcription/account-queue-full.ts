import { ServiceError } from "@reelscript/contract";

/** One account can't fill the queue for everybody. `limit`: reels of an account that may wait. */
export const accountQueueFull = (limit: number, retryAfter: number): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Your account already has ${limit} reels waiting to be transcribed, which is the most it may have. Try again in ${retryAfter} seconds; you weren't charged.`,
    { reason: "accountQueueFull", retryAfter },
  );
