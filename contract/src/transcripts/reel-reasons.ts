import type { ErrorReason } from "../values/service-error.ts";

/** Why a reel can't be fetched. */
export const fetchReasons = [
  "notAReel",
  "platformOff",
  "videoTooLong",
  "reelPrivate",
  "reelDeleted",
  "reelAgeRestricted",
  "reelRegionRestricted",
  "reelTakenDown",
  "shareLinkDead",
  "platformBusy",
  "platformRefused",
  "platformChanged",
  "platformUnreachable",
  "platformNotSetUp",
] as const satisfies readonly ErrorReason[];

/** Why a file of the account's own can't be transcribed. */
export const fileReasons: readonly ErrorReason[] = [
  "notMedia",
  "isImage",
  "isPlaylist",
  "encryptedMedia",
  "mediaBrokenOff",
  "mediaChanged",
  "longerThanStated",
  "videoTooLong",
  "noAudio",
  "unreadableMedia",
  "unsupportedLanguage",
  "speechNotRecognized",
];

/** Why a reel can't be transcribed. */
export const transcribeReasons = [
  ...fetchReasons,
  "notAVideo",
  "videoTooLarge",
  "noAudio",
  "unreadableMedia",
  "unsupportedLanguage",
  "speechNotRecognized",
  "transcriptionRunning",
  "accountQueueFull",
  "queueFull",
  "recognizerUnavailable",
  "batchCanceled",
] as const satisfies readonly ErrorReason[];

export type TranscribeReason = (typeof transcribeReasons)[number];
