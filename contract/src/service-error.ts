import * as z from "zod";

/** Everything that can go wrong on purpose: the code, its usual HTTP status, when it happens, and whether trying again may help. */
export const errors = {
  invalidRequest: {
    status: 400,
    description: "The request is wrong; the message names the field and says what is accepted.",
    retryable: false,
  },
  unauthorized: { status: 401, description: "Missing, malformed or revoked API key.", retryable: false },
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
  internalError: { status: 500, description: "Something broke on our side.", retryable: true },
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

/** Thrown by handlers and doors for what the caller may see; the message is safe to relay to a user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Whole seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly status?: InvalidRequestStatus; readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.retryAfter = options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
  }
}

export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).meta({ description: "Machine-readable code." }),
      message: z.string().meta({ description: "Human-readable, safe to relay to a user." }),
    }),
  })
  .meta({ id: "ErrorEnvelope" });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
