import type { DownloadProgress } from "@reelscript/whisper";

/** Standard error, or its replacement in tests. */
export interface DisplayStream {
  readonly isTTY: boolean;
  write(text: string): unknown;
}

/** Draws a bar on a terminal; elsewhere prints a line for each tenth. */
export function createDownloadDisplay(stream: DisplayStream): (progress: DownloadProgress) => void {
  let last = "";
  return ({ file, bytes, total }) => {
    const share = total > 0 ? bytes / total : 0;
    const text = `${file}  ${(bytes / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
    // Chunks arrive by the thousand, and most of them change nothing visible.
    const seen = `${file} ${Math.floor(share * (stream.isTTY ? 200 : 10))}`;
    if (seen === last) return;
    last = seen;
    if (!stream.isTTY) {
      stream.write(`  ${text}\n`);
      return;
    }
    const filled = Math.round(share * 24);
    stream.write(`\r\u001B[2K  ${"█".repeat(filled)}${"░".repeat(24 - filled)} ${text}${share >= 1 ? "\n" : ""}`);
  };
}
