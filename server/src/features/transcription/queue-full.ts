import { ServiceError } from "@reelscript/contract";

export const queueFull = (retryAfter: number): ServiceError =>
  new ServiceError(
    "unavailable",
    `Too many reels are waiting to be transcribed. Try again in ${retryAfter} seconds; you weren't charged.`,
    { reason: "queueFull", retryAfter },
  );
