import { writeFile } from "node:fs/promises";
import path from "node:path";
import { lackingForRoad, type PlatformRoad } from "../../../scripts/processes/start-platform-road.ts";

/** The reason to skip tests that run the real yt-dlp through the proxy of the platform's names. */
export const lackingForYtDlp =
  lackingForRoad ?? (process.env.TEST_YTDLP ? undefined : "TEST_YTDLP names no yt-dlp from PyPI");
if (lackingForYtDlp) process.stderr.write(`Tests with the real yt-dlp are skipped: ${lackingForYtDlp}.\n`);

/** The program that `TEST_YTDLP` names, set up to trust this proxy. */
export async function ytDlpForRoad({ authority }: PlatformRoad, folder: string): Promise<string> {
  const file = path.join(folder, "yt-dlp");
  const program = `SSL_CERT_FILE='${authority}' exec '${process.env.TEST_YTDLP}' --compat-options no-certifi "$@"`;
  await writeFile(file, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return file;
}
