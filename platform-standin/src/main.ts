import { parseArgs } from "node:util";
import { readReelTable } from "./reels/reel-table.ts";
import { reelUrl } from "./reels/reel-url.ts";
import { startPlatformStandin } from "./start-platform-standin.ts";

// oxlint-disable-next-line node/no-process-env -- the program is started like the service, with the same setting
const defaultPort = process.env["STANDIN_PORT"] || "8788";

function portOf(text: string, flag: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${flag} takes a port from 0 to 65535, not ${text}`);
  return port;
}

// a reader such as `head` may leave before the list ends
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** One JSON line per reel. */
const listReels = (origin: string): string =>
  readReelTable()
    .map((reel) => {
      const { kind, language, text, seconds, origin: source, license } = reel;
      return `${JSON.stringify({ url: reelUrl(origin, reel), kind, language, text, seconds, origin: source, license })}\n`;
    })
    .join("");

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: defaultPort },
      "media-port": { type: "string" },
      list: { type: "boolean", default: false },
    },
  });
  const port = portOf(values.port, "--port");
  if (values.list) {
    process.stdout.write(listReels(`http://127.0.0.1:${port}`));
    return;
  }
  const mediaPort = values["media-port"];
  const standin = await startPlatformStandin({
    port,
    ...(mediaPort === undefined ? {} : { mediaPort: portOf(mediaPort, "--media-port") }),
  });
  const stop = () => void standin.close();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const example = standin.reels[0];
  process.stdout.write(
    [
      "",
      "  Stand-in of the video platform (loopback only)",
      `  pages   ${standin.origin}`,
      `  media   ${standin.mediaOrigin}`,
      `  reels   ${standin.reels.length}, listed by --list`,
      ...(example ? [`  try     ${standin.urlOf(example.code)}`] : []),
      "  Ctrl-C ends it.",
      "",
      "",
    ].join("\n"),
  );
}

try {
  await main();
} catch (error) {
  process.stderr.write(`platform stand-in: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
