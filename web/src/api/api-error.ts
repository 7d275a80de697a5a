import type { ErrorCode } from "@reelscript/contract";
import { retryableCodes } from "virtual:operation-table";

interface Details {
  readonly status?: number;
  readonly retryAfter?: number | undefined;
}

/** An answer that is an error, or `unreachable` when none came. The message is made for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode | "unreachable";
  /** 0 when no answer came. */
  readonly status: number;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode | "unreachable", message: string, { status = 0, retryAfter }: Details = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether trying the same again may help. */
  get retryable(): boolean {
    return this.code === "unreachable" || retryableCodes.includes(this.code);
  }
}
