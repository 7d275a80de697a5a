import { ServiceError } from "@reelscript/contract";
import type { RateBucket, RateState } from "../ports.ts";

const names: Record<RateBucket["name"], string> = {
  default: "requests",
  transcribe: "transcriptions",
  bioWrite: "changes of the bio page",
  address: "requests without a key",
};

/** Carries the state of the full bucket, so that the door can show it. */
export class RateLimited extends ServiceError {
  readonly rate: RateState;

  constructor(rate: RateState, calls = names[rate.bucket.name]) {
    const wait = Math.max(1, Math.ceil(rate.resetSeconds));
    super("rateLimited", `At most ${rate.bucket.limit} ${calls} per hour. Try again in ${wait} seconds.`, {
      reason: "tooManyRequests",
      retryAfter: wait,
    });
    this.rate = rate;
  }
}
