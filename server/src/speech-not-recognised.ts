/** Speech was heard, but the model could not write it down. */
export class SpeechNotRecognised extends Error {
  override readonly name = "SpeechNotRecognised";
  /** Primary subtag. */
  readonly language: string;
  readonly model: string;

  constructor(language: string, model: string) {
    super(`${model} did not recognise speech in ${language}`);
    this.language = language;
    this.model = model;
  }
}
