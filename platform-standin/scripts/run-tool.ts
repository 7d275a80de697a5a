import { execFileSync } from "node:child_process";

export const runTool = (program: string, parameters: readonly string[], input?: string | Uint8Array): Buffer =>
  execFileSync(program, parameters, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });

/** Texts that begin with a dash contain several arguments, separated by spaces. */
export function ffmpeg(...parameters: readonly string[]): void {
  const parted = parameters.flatMap((one) => (one.startsWith("-") ? one.split(" ") : one));
  runTool("ffmpeg", ["-v", "error", "-y", ...parted]);
}
