/** Draws subtitles into the picture of a file, in a process of its own that only gets what no recognition needs. */
export interface VideoRenderer {
  /** The program, for operators. */
  readonly description: string;
  /**
   * Writes an MP4 file: H.264 in 1080x1920 with the file's audio. Throws `RenderError`, and the signal's reason. Whatever the
   * file does, it ends.
   */
  render(job: RenderJob): Promise<{ readonly lacksLetters: boolean }>;
}

export interface RenderJob {
  /** An empty folder of the job; the files below are in it, by name. */
  readonly directory: string;
  readonly media: string;
  readonly subtitles: string;
  readonly output: string;
  readonly signal: AbortSignal;
  /** Called with the share that is done, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * `noPicture`, `tooLong` and `tooLarge` are about the file, so that another try would end alike; the others may be about the
 * machine.
 */
export type RenderFailure =
  | "noPicture"
  | "tooLong"
  | "tooLarge"
  | "tookTooLong"
  | "tookTooMuchMemory"
  | "stoodStill"
  | "broke";

export class RenderError extends Error {
  override readonly name = "RenderError";
  readonly failure: RenderFailure;

  /** The message is for operators. */
  constructor(failure: RenderFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
