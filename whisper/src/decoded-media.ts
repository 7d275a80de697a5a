/**
 * A file that is being decoded: 16 kHz mono float32 samples in [-1, 1], in chunks of any length, as they come. The first
 * sample is at the beginning of the file, where its earliest track begins; what is missing is silence.
 */
export interface DecodedMedia {
  /** Throws `WhisperError`; ending the iteration early kills the child process. */
  readonly samples: AsyncIterable<Float32Array>;
  /**
   * Duration that the container states, `null` if it states none. Known at the latest when the samples have ended; never
   * rejects before `samples` throws.
   */
  readonly durationSeconds: Promise<number | null>;
  /** Known when the samples have ended: whether audio was left over after `maxSeconds`. */
  readonly truncated: Promise<boolean>;
}

/** Turns a media file into samples in a child process per file. */
export interface MediaDecoder {
  /** For the banner and logs: "ffmpeg 5.1.9 (/usr/bin/ffmpeg)" or "embedded ffmpeg 5.1.4". */
  readonly description: string;
  /**
   * Reads at most `maxSeconds` of the default audio track of the file at `path`, all channels mixed into one.
   * The parent counts bytes and wall-clock seconds and kills the child.
   */
  decode(path: string, options: { readonly maxSeconds: number; readonly signal: AbortSignal }): DecodedMedia;
  close(): Promise<void>;
}
