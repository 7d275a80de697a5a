import type { ErrorCode, ReasonOf, TranscribeReason } from "@reelscript/contract";

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

/** The result of one route: data, or the reason why there is none. */
export type WayVerdict = "data" | "shell" | "wall" | "gone" | "gated" | "changed" | "unreachable" | "broken";

/** Values that messages for callers name. */
interface MessageValues {
  readonly platform: string;
  readonly maxMegabytes: number;
  readonly maxMinutes: number;
}

/** The error that callers get. */
export type Refusal = {
  readonly [Code in ErrorCode]: {
    readonly code: Code;
    readonly reason: ReasonOf<Code> & TranscribeReason;
    readonly message: string | ((values: MessageValues) => string);
  };
}[ErrorCode];

/** Everything that is decided by the kind of a failure. */
type FailureMeaning = Refusal & {
  /** The outcome that a check of the way shows to the operator. */
  readonly verdict: WayVerdict;
  /** No other way to the reel is tried. Two ways of different kinds must agree that a reel was deleted. */
  readonly endsWays: boolean;
  /** No other source is tried. */
  readonly endsSources: boolean;
  /**
   * Describes the address that we asked from: it gets answers, it gets answers but another country may be shown the
   * reel, the platform turns it away, nothing came back, or that remains open.
   */
  readonly exit: "answered" | "answeredHere" | "walled" | "silent" | "unknown";
  /** yt-dlp reports it reliably even if its installation is incomplete. */
  readonly isSureOfYtDlp: boolean;
  /** Another try at any later time would fail in the same way. */
  readonly isLasting: boolean;
};

export const failureMeanings: Readonly<Record<SourceFailureKind, FailureMeaning>> = {
  private: {
    verdict: "gated",
    endsWays: true,
    endsSources: true,
    exit: "answered",
    isSureOfYtDlp: true,
    isLasting: true,
    code: "notFound",
    reason: "reelPrivate",
    message: "This reel is private: the platform does not show it to the public.",
  },
  deleted: {
    verdict: "gone",
    endsWays: false,
    endsSources: true,
    exit: "answered",
    isSureOfYtDlp: true,
    isLasting: true,
    code: "notFound",
    reason: "reelDeleted",
    message: "This reel was deleted or never existed.",
  },
  ageGated: {
    verdict: "gated",
    endsWays: true,
    endsSources: false,
    exit: "answered",
    isSureOfYtDlp: true,
    isLasting: true,
    code: "notFound",
    reason: "reelAgeRestricted",
    message: "This reel is age-restricted: the platform does not show it to the public.",
  },
  regionGated: {
    verdict: "gated",
    endsWays: true,
    endsSources: true,
    exit: "answeredHere",
    isSureOfYtDlp: false,
    isLasting: false,
    code: "notFound",
    reason: "reelRegionRestricted",
    message: "This reel is not shown in every region, and not in the one from which this service asks.",
  },
  walled: {
    verdict: "wall",
    endsWays: false,
    endsSources: false,
    exit: "walled",
    isSureOfYtDlp: false,
    isLasting: false,
    code: "upstreamError",
    reason: "platformRefused",
    message: "The platform is not letting us fetch this reel right now. Try again in a few minutes.",
  },
  changed: {
    verdict: "changed",
    endsWays: false,
    endsSources: false,
    exit: "unknown",
    isSureOfYtDlp: false,
    isLasting: false,
    code: "upstreamError",
    reason: "platformChanged",
    message: "The platform changed how it answers, and we can't read this reel yet. Try again later.",
  },
  unreachable: {
    verdict: "unreachable",
    endsWays: false,
    endsSources: false,
    exit: "silent",
    isSureOfYtDlp: false,
    isLasting: false,
    code: "upstreamError",
    reason: "platformUnreachable",
    message: "We couldn't reach the platform. Try again in a moment.",
  },
  notVideo: {
    verdict: "data",
    endsWays: true,
    endsSources: true,
    exit: "answered",
    isSureOfYtDlp: true,
    isLasting: true,
    code: "invalidRequest",
    reason: "notAVideo",
    message: "This post has no video. Send the URL of a reel.",
  },
  installation: {
    verdict: "broken",
    endsWays: false,
    endsSources: false,
    exit: "unknown",
    isSureOfYtDlp: false,
    isLasting: true,
    code: "invalidRequest",
    reason: "platformNotSetUp",
    message: ({ platform }) =>
      `This server isn't set up to fetch reels of ${platform}. Only its operator can change that.`,
  },
  tooLarge: {
    verdict: "data",
    endsWays: false,
    endsSources: true,
    exit: "unknown",
    isSureOfYtDlp: true,
    isLasting: true,
    code: "invalidRequest",
    reason: "videoTooLarge",
    message: ({ maxMegabytes }) => `The video is too large: at most ${maxMegabytes} MB are accepted.`,
  },
  tooLong: {
    verdict: "data",
    endsWays: false,
    endsSources: true,
    exit: "unknown",
    isSureOfYtDlp: false,
    isLasting: true,
    code: "invalidRequest",
    reason: "videoTooLong",
    message: ({ maxMinutes }) => `This video is too long for a reel: at most ${maxMinutes} minutes are accepted.`,
  },
};

/** The reason why one source could not provide a reel. The message is for the log, never for callers. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
  readonly kind: SourceFailureKind;
  readonly meaning: FailureMeaning;

  constructor(kind: SourceFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.meaning = failureMeanings[kind];
  }
}

/** An application without data, which the platform sends with status 200 to callers that it doesn't recognize as browsers. */
export class EmptyShell extends SourceFailure {}
