/** Why a transcription ended without a result. */
export const whisperErrorCodes = [
  /** The file is not ISO-BMFF, EBML, MP3, Ogg, WAV or FLAC. */
  "unsupportedContainer",
  /** The container is known, but holds no audio track. */
  "noAudioTrack",
  /** The audio track is in a codec that the decoder at hand cannot read. */
  "unsupportedCodec",
  /** Corrupt or truncated beyond use: not a sample came out. */
  "undecodable",
  /** The audio ends long before the length that the container states. */
  "brokenOff",
  /** The file has more bytes than allowed. */
  "tooLarge",
  /** The spoken language isn't supported; `language` says which was heard. */
  "unsupportedLanguage",
  /** Speech was heard, but the model could not write most of it down; `language` and `model` say which. */
  "notRecognized",
  /** Speech was heard in a language in which most words would be wrong, and the caller didn't name it; `language` says which. */
  "notReliable",
  /** A child process used more time than allowed. */
  "timeout",
  /** A child process used more memory than allowed. */
  "memory",
  /** A child process ended by itself. */
  "crashed",
  /** A child process stood still, as if it were frozen, and was killed. */
  "silent",
  /** A remote endpoint or a model file could not be reached or refused. */
  "unavailable",
  /** The caller's signal. */
  "aborted",
] as const;
export type WhisperErrorCode = (typeof whisperErrorCodes)[number];

/** The one error of this package. The message is written for an operator's log, not for end users. */
export class WhisperError extends Error {
  override readonly name = "WhisperError";
  readonly code: WhisperErrorCode;
  /** Primary BCP-47 subtag, where the code says so. */
  readonly language: string | undefined;
  readonly model: string | undefined;

  constructor(
    code: WhisperErrorCode,
    message: string,
    details: { language?: string; model?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.language = details.language;
    this.model = details.model;
  }
}

/** Something that recognizing needs is missing or wrong. */
export const unavailable = (message: string, cause?: unknown): WhisperError =>
  new WhisperError("unavailable", message, { cause });

export const gaveUp = (): WhisperError => new WhisperError("aborted", "The caller gave up.");
