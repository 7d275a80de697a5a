/**
 * `refused`: our own rules forbid it; `unreachable`: no connection, no answer in time, or an answer that broke off;
 * `tooLarge`: more bytes than allowed; `badStatus`: answered, but not with the media; `proxyFailed`: the proxy in between
 * opened no tunnel.
 */
export type FetchFailureReason = "refused" | "unreachable" | "tooLarge" | "badStatus" | "proxyFailed";

/** The message names hosts and addresses: it is for the log, never for callers. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly reason: FetchFailureReason;

  constructor(reason: FetchFailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
