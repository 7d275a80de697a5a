import type { ErrorCode } from "./service-error.ts";

/**
 * Why something was refused, by code, where programs may want to know more than the code says. A closed list: what is not
 * in it has no reason.
 */
export const errorReasons = {
  invalidRequest: {
    notAReel: "The URL does not lead to a reel.",
    notAVideo: "The post has no video.",
    videoTooLarge: "The video or its sound is larger than the service takes.",
    noAudio: "The reel has no audio track.",
    unreadableMedia: "The media of the reel cannot be decoded.",
    unsupportedLanguage: "The reel is spoken in a language that is not supported.",
    speechNotRecognized: "The speech could not be transcribed by the running model.",
    alreadyHeard: "The running recognizer has transcribed this reel before.",
    handleReserved: "The handle is reserved.",
    handleTaken: "The handle belongs to another page.",
    handleChangedTooOften: "The page changed its handle too often.",
    staleRevision: "What is to be changed is at another revision.",
    idempotencyKeyReused: "The idempotency key was used with another body.",
    crossSite: "The request came from another site.",
  },
  unauthorized: {
    keyMissing: "No API key was sent.",
    keyMalformed: "The Authorization header holds no well-formed API key.",
    keyUnknown: "The API key is unknown or was revoked.",
    keyExpired: "The API key has expired.",
    keyReadOnly: "The API key is read-only.",
    notSignedIn: "The person is not signed in, or the session has ended.",
    accountSuspended: "The account is suspended.",
    accountDeleted: "The account was deleted.",
    codeRefused: "The one-time code is wrong, was used before, or has expired.",
    outsideScope: "The token is valid, but not for this.",
  },
  limitReached: {
    transcriptionsUsed: "The transcriptions of the plan are used.",
    postsUsed: "The analyzed posts of the plan are used.",
    shareLinksUsed: "The account shares as many scripts as it may.",
    keysUsed: "The account has as many keys as it may have.",
  },
  notFound: {
    reelPrivate: "The reel is private.",
    reelDeleted: "The reel was deleted or never existed.",
    reelAgeRestricted: "The reel is age-restricted.",
    reelRegionRestricted: "The reel is not shown in the region from which the service asks.",
    reelTakenDown: "The operator removed the reel from this service.",
    bioLinkGone: "The link is no longer on its bio page.",
    bioPageTakenDown: "The operator took the bio page down.",
    shareLinkDead: "The share link no longer leads to a reel.",
  },
  inProgress: {
    transcriptionRunning: "The reel is being transcribed.",
    idempotencyKeyInUse: "The first request with this idempotency key has not been answered yet.",
  },
  rateLimited: {
    tooManyRequests: "A rate limit is exceeded.",
    accountQueueFull: "The account has as many reels waiting as it may have.",
  },
  upstreamError: {
    platformRefused: "The platform does not let the service fetch the reel right now.",
    platformBusy: "Too many reels are waiting for their turn at the platform.",
    platformChanged: "The platform's answer was not understood.",
    platformUnreachable: "The platform could not be reached, or took too long.",
    platformNotSetUp: "The service is not set up to fetch reels of this platform.",
    paymentProviderUnreachable: "The payment provider does not answer.",
  },
  unavailable: {
    shuttingDown: "The service is shutting down.",
    queueFull: "Too many reels are waiting to be transcribed.",
    databaseUnavailable: "The database does not answer.",
    recognizerUnavailable: "The speech recognizer is not available.",
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, string>>>>;

type Reasons = typeof errorReasons;

/** The reasons that a code can have. */
export type ReasonOf<Code extends ErrorCode> = {
  [Coded in keyof Reasons]: Coded extends Code ? keyof Reasons[Coded] : never;
}[keyof Reasons];

export type ErrorReason = ReasonOf<ErrorCode>;

export const reasonNames = Object.values(errorReasons).flatMap((reasons) => Object.keys(reasons)) as ErrorReason[];

/** The reason of a name; undefined where it is not in the list, as one of a newer service may be. */
export const reasonNamed = (name: string | null | undefined): ErrorReason | undefined =>
  reasonNames.find((reason) => reason === name);
