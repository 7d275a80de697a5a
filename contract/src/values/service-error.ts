/** All intended errors: the code, its usual HTTP status, its cause, and whether a retry may help (docs/decisions/errors.md). */
export const errors = {
  invalidRequest: {
    status: 400,
    description: "The request is invalid; the message names the field and the accepted values.",
    retryable: false,
  },
  unauthorized: { status: 401, description: "Missing, malformed, revoked or expired API key.", retryable: false },
  limitReached: {
    status: 403,
    description: "You've reached a limit of your plan or account; the message names it.",
    retryable: false,
  },
  notFound: {
    status: 404,
    description: "It doesn't exist, is private, or belongs to another account.",
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

/** There is one code for invalid requests, but HTTP distinguishes their kinds. */
export type InvalidRequestStatus = 400 | 403 | 405 | 412 | 413 | 415 | 422;

/** Describes a problem in one part of the input. */
export interface InputProblem {
  /** The way to the part; empty for the input as a whole. */
  readonly path: readonly (string | number)[];
  /** Ends a sentence: "must be a date", "is missing". */
  readonly problem: string;
}

/** A message may quote the request, which may be of any length. */
const longestMessage = 2_000;

/**
 * Thrown by handlers and doors for errors that the caller may see; the message is safe to relay to a user, and the reason,
 * which belongs to the code, is for programs.
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
  /** The message as data, where it is about the input. */
  readonly problems: readonly InputProblem[] | undefined;

  constructor(
    code: Code,
    message: string,
    options: {
      readonly reason?: (ReasonOf<Code> & ErrorReason) | undefined;
      /** 410 for web pages that were taken down; operations use the usual status. */
      readonly status?: InvalidRequestStatus | 410;
      readonly retryAfter?: number;
      readonly transcriptionId?: string | undefined;
      readonly problems?: readonly InputProblem[] | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message, {
      cause: options.cause,
    });
    this.code = code;
    this.status = options.status ?? (options.reason && statusOfReason[options.reason]) ?? errors[code].status;
    this.reason = options.reason;
    this.transcriptionId = options.transcriptionId;
    this.problems = options.problems;
    this.retryAfter = options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
  }
}

/**
 * The reasons of refusals, by code, for programs that need more detail than the code. The list is closed: other refusals have
 * no reason.
 */
export const errorReasons = {
  invalidRequest: {
    notAReel: "The URL does not lead to a reel.",
    platformOff: "This server doesn't support the platform.",
    platformNotSetUp: "This server isn't set up for the platform.",
    notAVideo: "The post has no video.",
    videoTooLarge: "The video or its audio is too large.",
    videoTooLong: "The video is too long for a reel.",
    noAudio: "The reel has no audio track.",
    unreadableMedia: "The reel's media can't be decoded.",
    unsupportedLanguage: "The reel's language isn't supported.",
    speechNotRecognized: "The current model couldn't transcribe the speech.",
    notTranslated: "The language isn't translated, or nothing is said.",
    notMedia: "The file is neither a video nor a recording.",
    isImage: "The file is an image.",
    isPlaylist: "The file is a playlist.",
    encryptedMedia: "The file is encrypted.",
    mediaBrokenOff: "The file ends early.",
    mediaChanged: "The file changed while it was sent.",
    longerThanStated: "The file is longer than its sender stated.",
    videosNotSetUp: "This server isn't set up to make subtitled videos.",
    fileNotKept: "The file of the script isn't kept any more, or the script isn't from a file.",
    noPicture: "The file has no picture, or one that can't be decoded.",
    nothingSaid: "Nothing is said in the file, so there are no subtitles.",
    alreadyHeard: "The current model has already transcribed this reel.",
    handleReserved: "The handle is reserved.",
    handleTaken: "The handle belongs to another page.",
    handleChangedTooOften: "The page changed its handle too often.",
    staleRevision: "It has changed since you read it: the revision is different.",
    idempotencyKeyReused: "The idempotency key was used with another body.",
    crossSite: "The request came from another site.",
  },
  unauthorized: {
    keyMissing: "No API key was sent.",
    keyMalformed: "The Authorization header doesn't have a valid API key.",
    keyUnknown: "The API key is unknown or was revoked.",
    keyExpired: "The API key has expired.",
    keyReadOnly: "The API key is read-only.",
    notSignedIn: "The person is not signed in, or the session has ended.",
    accountSuspended: "The account is suspended.",
    accountDeleted: "The account was deleted.",
    codeRefused: "The one-time code is wrong, was used before, or has expired.",
    outsideScope: "The token isn't allowed to do this.",
  },
  limitReached: {
    transcriptionsUsed: "You've used all transcriptions of your plan.",
    postsUsed: "You've used all analyzed posts of your plan.",
    shareLinksUsed: "The account has reached its limit of shared scripts or reports.",
    tagsUsed: "The account has reached its limit of tags.",
    savedSearchesUsed: "The account has reached its limit of saved searches.",
    keysUsed: "The account has reached its limit of keys.",
    webhooksUsed: "The account has reached its limit of webhook endpoints.",
  },
  notFound: {
    reelPrivate: "The reel is private.",
    reelDeleted: "The reel was deleted or never existed.",
    reelAgeRestricted: "The reel is age-restricted.",
    reelRegionRestricted: "This reel isn't available in our server's region.",
    reelTakenDown: "The operator removed the reel from this service.",
    bioLinkGone: "The link is no longer on its bio page.",
    bioPageTakenDown: "The operator took the bio page down.",
    shareLinkDead: "The platform's share link no longer leads to a reel.",
  },
  inProgress: {
    transcriptionRunning: "The reel is being transcribed.",
    idempotencyKeyInUse: "The first request with this idempotency key has not been answered yet.",
  },
  rateLimited: {
    tooManyRequests: "A rate limit is exceeded.",
    tooManyAtATime: "Too many of your earlier requests are still in progress.",
    accountQueueFull: "The account has reached its limit of waiting reels.",
    tooManyBatches: "The account has reached its limit of open batches.",
    tooManyFiles: "The account has reached its limit of files at a time.",
    tooManyVideos: "The account has reached its limit of subtitled videos.",
    tooManyStreams: "The account has reached its limit of streams at a time.",
  },
  upstreamError: {
    platformRefused: "The platform isn't letting us fetch the reel right now.",
    platformBusy: "Too many reels are waiting for their turn at the platform.",
    platformChanged: "We couldn't read the platform's response.",
    platformUnreachable: "The platform could not be reached, or took too long.",
    paymentProviderUnreachable: "The payment provider isn't responding.",
  },
  unavailable: {
    shuttingDown: "The service is shutting down.",
    queueFull: "Too many reels are waiting to be transcribed.",
    databaseUnavailable: "The database isn't responding.",
    recognizerUnavailable: "The speech recognizer is not available.",
    batchCanceled: "The batch was canceled before the transcription began.",
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, string>>>>;

/** Statuses of wrong requests other than 400, by reason. */
export const statusOfReason: { readonly [Reason in ErrorReason]?: InvalidRequestStatus } = {
  platformNotSetUp: 422,
  notAVideo: 422,
  videoTooLarge: 422,
  videoTooLong: 422,
  noAudio: 422,
  unreadableMedia: 422,
  unsupportedLanguage: 422,
  speechNotRecognized: 422,
  notTranslated: 422,
  notMedia: 422,
  isImage: 422,
  isPlaylist: 422,
  encryptedMedia: 422,
  mediaBrokenOff: 422,
  mediaChanged: 422,
  longerThanStated: 422,
  videosNotSetUp: 422,
  fileNotKept: 422,
  noPicture: 422,
  nothingSaid: 422,
  alreadyHeard: 422,
  idempotencyKeyReused: 422,
  staleRevision: 412,
  crossSite: 403,
};

type Reasons = typeof errorReasons;

/** The possible reasons of a code. */
export type ReasonOf<Code extends ErrorCode> = {
  [Coded in keyof Reasons]: Coded extends Code ? keyof Reasons[Coded] : never;
}[keyof Reasons];

export type ErrorReason = ReasonOf<ErrorCode>;

export const reasonNames = Object.values(errorReasons).flatMap((reasons) => Object.keys(reasons)) as ErrorReason[];
