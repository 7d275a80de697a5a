import { cutText } from "@reelscript/contract/values";
import type { ErrorCode, ErrorReason, InputProblem } from "@reelscript/contract/values";

/** After these errors, the same call fails in the same way. */
const lasting: ReadonlySet<string> = new Set(["invalidRequest", "unauthorized", "limitReached", "notFound"]);

/**
 * Why a call failed: the service refused it with one of its codes; `unexpectedAnswer`: something else answered, such as a
 * proxy; `unreachable` or `timeout`: no answer came.
 */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly code: ErrorCode | "unexpectedAnswer" | "unreachable" | "timeout";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Why, where the code alone does not say it. */
  readonly reason: ErrorReason | undefined;
  /** Whole seconds, when the answer asked to come again later. */
  readonly retryAfter: number | undefined;
  /** The operator finds the request by it. */
  readonly requestId: string | undefined;
  /** The message as data, where it is about the input. */
  readonly problems: readonly InputProblem[] | undefined;

  constructor(
    code: CallError["code"],
    message: string,
    details: Partial<Pick<CallError, "status" | "reason" | "retryAfter" | "requestId" | "problems" | "cause">> = {},
  ) {
    super(cutText(message, 2_000), { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.reason = details.reason;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
    this.problems = details.problems;
  }

  /** True if trying again may help. */
  get retryable(): boolean {
    return !lasting.has(this.code);
  }
}
