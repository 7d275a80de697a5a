/**
 * `private`, `deleted`: the reel is not there for the public. `ageGated`: only for viewers who are signed in. `regionGated`:
 * not where we ask from. `walled`: the platform asks to wait or to sign in. `changed`: it answers in a way that is not
 * understood. `unreachable`: no complete answer. `notVideo`: a post without a video. `installation`: a program of this
 * machine that can't do its work, which says nothing about the reel. `tooLarge`: more bytes than are taken. `tooLong`: a video
 * that is no reel.
 */
export type SourceFailureKind =
  | "private"
  | "deleted"
  | "ageGated"
  | "regionGated"
  | "walled"
  | "changed"
  | "unreachable"
  | "notVideo"
  | "installation"
  | "tooLarge"
  | "tooLong";

/** The reason why one source could not provide a reel. The message is for the log, never for callers. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
  readonly kind: SourceFailureKind;

  constructor(kind: SourceFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** An application without data, which the platform sends with status 200 to callers that it doesn't recognize as browsers. */
export class EmptyShell extends SourceFailure {}
