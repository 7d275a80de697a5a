import { execFileSync } from "node:child_process";

export function runTool(program, args, input) {
  return execFileSync(program, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
}

export function secondsOf(file) {
  const text = runTool("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file]);
  return Number(text.toString());
}
