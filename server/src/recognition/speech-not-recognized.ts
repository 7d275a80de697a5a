/** Speech was heard, but the model could not write it down. */
export class SpeechNotRecognized extends Error {
  override readonly name = "SpeechNotRecognized";
  /** Primary subtag. */
  readonly language: string;
  readonly model: string;
  /** The model reads nothing in this language. */
  readonly isUnread: boolean;

  constructor(language: string, model: string, isUnread = false) {
    super(`${model} did not recognize speech in ${language}`);
    this.language = language;
    this.model = model;
    this.isUnread = isUnread;
  }
}
