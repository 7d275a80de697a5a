import type { ChildProcess } from "node:child_process";
import type { InspectedFile } from "./inspect-file.ts";

export interface DecodeJob extends InspectedFile {
  readonly cpuSeconds: number;
  /** Number of a stream in the file; the first audio track where it isn't given. */
  readonly stream?: number | undefined;
}

/**
 * One way to run ffmpeg. The child prints the Matroska of `ffmpegArguments` on its standard output and ffmpeg's own words on
 * its standard error; it reads one file and ends.
 */
export interface DecoderEngine {
  readonly description: string;
  start(job: DecodeJob): ChildProcess;
  close(): Promise<void>;
}
