import type { DownloadProgress } from "@reelscript/whisper";

/** Draws a bar on a terminal; elsewhere a line for each tenth. */
export function createDownloadDisplay(stream: NodeJS.WriteStream): (progress: DownloadProgress) => void {
  let lastTenth = -1;
  return ({ file, bytes, total }) => {
    const share = total > 0 ? bytes / total : 0;
    const text = `${file}  ${(bytes / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
    if (stream.isTTY) {
      const filled = Math.round(share * 24);
      stream.write(`\r\u001B[2K  ${"█".repeat(filled)}${"░".repeat(24 - filled)} ${text}${share >= 1 ? "\n" : ""}`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth !== lastTenth) stream.write(`  ${text}\n`);
    lastTenth = tenth;
  };
}
