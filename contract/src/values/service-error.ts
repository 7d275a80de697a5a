import type { ErrorReason, ReasonOf } from "./error-reasons.ts";

/** Everything that can go wrong on purpose: the code, its usual HTTP status, when it happens, and whether trying again may help (docs/decisions/errors.md). */
export const errors = {
  invalidRequest: {
    status: 400,
    description: "The request is wrong; the message names the field and says what is accepted.",
    retryable: false,
  },
  unauthorized: { status: 401, description: "Missing, malformed, revoked or expired API key.", retryable: false },
  limitReached: {
    status: 403,
    description: "The plan's transcription quota is exhausted. Upgrading raises the limit.",
    retryable: false,
  },
  notFound: {
    status: 404,
    description: "It does not exist, is private, or belongs to another account.",
    retryable: false,
  },
  inProgress: {
    status: 409,
    description: "The same reel is already being transcribed. Retry in about 30 seconds.",
    retryable: true,
  },
  rateLimited: {
    status: 429,
    description: "Too many requests; `Retry-After` gives the seconds to wait.",
    retryable: true,
  },
  internalError: { status: 500, description: "Something went wrong on our side.", retryable: true },
  upstreamError: {
    status: 502,
    description: "The platform's media could not be fetched. Usually transient.",
    retryable: true,
  },
  unavailable: {
    status: 503,
    description: "The service cannot take the request right now; `Retry-After` gives the seconds to wait.",
    retryable: true,
  },
} as const satisfies Record<string, { status: number; description: string; retryable: boolean }>;

export type ErrorCode = keyof typeof errors;

/** A wrong request has one code, but HTTP tells its kinds apart. */
export type InvalidRequestStatus = 400 | 403 | 405 | 412 | 413 | 415 | 422;

/** A message may quote what was sent, which may be of any length. */
const longestMessage = 2_000;

/**
 * Thrown by handlers and doors for what the caller may see; the message is safe to relay to a user, and the reason, one of
 * its code, is for programs.
 */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly reason: ErrorReason | undefined;
  /** Whole seconds to wait. */
  readonly retryAfter: number | undefined;
  /** The caller's own transcription to follow instead. */
  readonly transcriptionId: string | undefined;

  constructor(
    code: Code,
    message: string,
    options: {
      readonly reason?: (ReasonOf<Code> & ErrorReason) | undefined;
      /** 410 of what was taken down, for web pages; operations answer the usual status. */
      readonly status?: InvalidRequestStatus | 410;
      readonly retryAfter?: number;
      readonly transcriptionId?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message, {
      cause: options.cause,
    });
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.reason = options.reason;
    this.transcriptionId = options.transcriptionId;
    this.retryAfter = options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
  }
}
