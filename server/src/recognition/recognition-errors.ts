import { ServiceError } from "@reelscript/contract";

/** A recognizer elsewhere is down or refuses its key, or a part of the local one is missing. */
export class RecognizerAway extends ServiceError {
  /** Primary subtag, if only the recognizer of this language is unavailable. */
  readonly language: string | undefined;

  constructor(language: string | undefined, cause: unknown) {
    super("unavailable", "Speech recognition is unavailable right now. You weren't charged. Try again in a minute.", {
      reason: "recognizerUnavailable",
      retryAfter: 60,
      cause,
    });
    this.language = language;
  }
}

/** The recognizer made no progress and was replaced. Thrown by `Transcriber`: another machine may succeed. */
export class RecognizerSilent extends Error {
  override readonly name = "RecognizerSilent";

  constructor(cause: unknown) {
    super("The recognizer showed no sign of life and was replaced", { cause });
  }
}

/** Speech was heard, but the model could not write it down. */
export class SpeechNotRecognized extends Error {
  override readonly name = "SpeechNotRecognized";
  /** Primary subtag. */
  readonly language: string;
  readonly model: string;
  /** The model supports nothing in this language. */
  readonly isUnread: boolean;
  /** The model would get most words wrong, so it only writes a draft for callers who name the language. */
  readonly isUnnamed: boolean;

  constructor(language: string, model: string, isUnread = false, isUnnamed = false) {
    super(`${model} did not recognize speech in ${language}`);
    this.language = language;
    this.model = model;
    this.isUnread = isUnread;
    this.isUnnamed = isUnnamed;
  }
}
