import { RefusedError, UnexpectedAnswer } from "@reelscript/client/core";
import { errors, type ErrorCode, type ErrorReason } from "@reelscript/contract/values";

interface Details {
  readonly status?: number;
  readonly reason?: ErrorReason | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** An answer that is an error, or `unreachable` when none came. The message is made for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode | "unreachable";
  /** 0 when no answer came. */
  readonly status: number;
  /** Why, where the code alone does not say it. */
  readonly reason: ErrorReason | undefined;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;
  /** What the operator finds it by. */
  readonly requestId: string | undefined;

  constructor(
    code: ErrorCode | "unreachable",
    message: string,
    { status = 0, reason, retryAfter, requestId }: Details = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  /** Whether trying the same again may help. */
  get retryable(): boolean {
    return this.code === "unreachable" || errors[this.code].retryable;
  }
}

/** What the client threw, in words for people. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof RefusedError) return new ApiError(error.code, error.message, error);
  if (error instanceof UnexpectedAnswer)
    return new ApiError("unavailable", "Something other than Reelscript responded.", error);
  const offline = typeof navigator === "object" && navigator.onLine === false;
  return new ApiError(
    "unreachable",
    offline ? "You’re offline. Check your connection." : "Can’t reach Reelscript. Try again in a moment.",
  );
}
