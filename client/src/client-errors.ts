import { type ErrorCode, type ErrorReason, type InvalidRequestStatus, ServiceError } from "@reelscript/contract/values";

/** What the service answered when it refused a request: the contract's error and the id by which its operator finds the request. */
export class RefusedError extends ServiceError {
  override readonly name = "RefusedError";
  /** The `x-request-id` of the answer. */
  readonly requestId: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly status?: InvalidRequestStatus;
      readonly retryAfter?: number;
      readonly reason?: ErrorReason | undefined;
      readonly requestId?: string | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.requestId = options.requestId;
  }
}

/** An answer that is not the service's: a proxy's page, a redirect, a body that is not what the contract promises. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  readonly status: number;
  /** Whole seconds, when the answer asked to come again later. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    answer: {
      readonly status: number;
      readonly retryAfter?: number | undefined;
      readonly requestId?: string | undefined;
    },
  ) {
    super(message);
    this.status = answer.status;
    this.retryAfter = answer.retryAfter;
    this.requestId = answer.requestId;
  }
}

/** No answer came: the service cannot be reached, the connection broke, or the time for it ran out. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** `timeout` when the time ran out, else `unreachable`. */
  readonly reason: "timeout" | "unreachable";

  constructor(reason: "timeout" | "unreachable", message: string, cause: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
