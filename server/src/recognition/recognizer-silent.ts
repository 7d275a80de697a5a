/** The recognizer stood still and was replaced. Thrown by `Transcriber`: another machine may do better. */
export class RecognizerSilent extends Error {
  override readonly name = "RecognizerSilent";

  constructor(cause: unknown) {
    super("The recognizer showed no sign of life and was replaced", { cause });
  }
}
