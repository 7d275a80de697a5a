import type { ChildProcess } from "node:child_process";
import type { InspectedFile } from "./inspect-file.ts";

export interface DecodeJob extends InspectedFile {
  readonly maxSeconds: number;
  readonly cpuSeconds: number;
}

/**
 * One way to run ffmpeg. The child prints raw little-endian float32 samples on its standard output and ffmpeg's
 * own words on its standard error; it reads one file and ends.
 */
export interface DecoderEngine {
  readonly description: string;
  start(job: DecodeJob): ChildProcess;
  close(): Promise<void>;
}
