import type { Recognition } from "./transcriber.ts";

/** What is spoken is another recognizer's to write down. */
export class HandOver extends Error {
  override readonly name = "HandOver";
  readonly heard: Pick<Recognition, "language" | "languageProbability" | "hintDecided">;

  constructor(heard: HandOver["heard"]) {
    super(`${heard.language} is for another recognizer`);
    this.heard = heard;
  }
}
