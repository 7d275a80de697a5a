/** Sent before the bytes of the file on the child's standard input. */
export interface EmbeddedJobHeader {
  readonly parameters: readonly string[];
  readonly bytes: number;
}

/** Exit statuses of the child for what ffmpeg itself cannot say. */
export const exitCrashed = 120;
export const exitOutOfMemory = 121;
