import { ServiceError } from "@reelscript/contract";
import type { Failure, RateBucket, RateState } from "../ports.ts";

/** Error for a reel that the operator took down. */
export const takenDown: Failure = {
  code: "notFound",
  reason: "reelTakenDown",
  status: 404,
  message: "The operator removed this reel from the service. It can't be transcribed.",
};

/** Error for a caller whose account the operator suspended. */
export const suspended: Failure = {
  code: "unauthorized",
  reason: "accountSuspended",
  status: 401,
  message: "This account is suspended. Contact the operator of this service.",
};

/** Error for visitors of a bio page, or its links, that the operator took down. */
export const bioPageTakenDown = (): ServiceError =>
  new ServiceError("notFound", "This page was taken down by the operator of this service.", {
    reason: "bioPageTakenDown",
    status: 410,
  });

/** Returns `value`; throws the refusal when it is undefined. */
export function orThrow<Value>(value: Value | undefined, refusal: () => ServiceError): Value {
  if (value === undefined) throw refusal();
  return value;
}

export const accountDeleted = (): ServiceError =>
  new ServiceError("unauthorized", "This account was deleted. Sign in again.", { reason: "accountDeleted" });

export const noSuchWebhook = (): ServiceError =>
  new ServiceError("notFound", "You have no webhook endpoint with this id.");

export const noSuchScript = (): ServiceError =>
  new ServiceError("notFound", "You have no script with this id. List your scripts to find it.");

export const noSuchFile = (): ServiceError =>
  new ServiceError("notFound", "You have no file with this id or address. It may have expired.");

export const noSuchVideo = (): ServiceError =>
  new ServiceError("notFound", "You have no subtitled video with this id. It may have been deleted.");

export const noSuchReport = (): ServiceError =>
  new ServiceError("notFound", "You have no report with this id. List your reports to find it.");

export const noActiveKey = (): ServiceError =>
  new ServiceError("notFound", "No active key has this id. List your keys to see the active ones.");

/** The error for callers of a transcription that failed with this. */
export const errorOf = ({ code, status, message, reason, retryAfter }: Failure): ServiceError =>
  new ServiceError(code, message, {
    reason,
    ...(status === 422 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });

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
