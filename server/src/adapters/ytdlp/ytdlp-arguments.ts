import { longestReelSeconds, type YtDlpManners } from "../platforms/platform.ts";

/** The oldest Node that yt-dlp accepts for solving a page's challenges. */
const oldestNode = 22;

/** True when yt-dlp accepts the Node of this service; otherwise it looks for deno. */
export const nodeSolves = (): boolean => Number.parseInt(process.versions.node) >= oldestNode;

/** Arguments of yt-dlp for one reel, of which the audio is enough; it must not read or write anything elsewhere. */
export function ytDlpArguments(run: {
  /** Canonical, of a public platform. */
  readonly url: string;
  readonly manners: Pick<YtDlpManners, "format" | "hasLongVideos" | "runsJavaScript">;
  /** The path for the complete media, which must not exist yet. Without it only the details are read. */
  readonly file?: string | undefined;
  readonly maxBytes: number;
  readonly cookiesFile?: string | undefined;
  /** Between its requests. */
  readonly intervalSeconds: number;
}): string[] {
  const { format, hasLongVideos, runsJavaScript } = run.manners;
  return [
    "--no-config",
    "--no-cache-dir",
    "--no-progress",
    "--no-color",
    "--dump-json",
    ...(run.file === undefined ? ["--simulate"] : ["--no-simulate", "--output", run.file.replaceAll("%", "%%")]),
    "--no-mtime",
    "--fixup",
    "never",
    "--no-playlist",
    "--playlist-items",
    "1:20",
    "--max-downloads",
    "1",
    "--ignore-errors",
    "--socket-timeout",
    "15",
    "--sleep-requests",
    String(run.intervalSeconds),
    "--retries",
    "1",
    "--max-filesize",
    String(run.maxBytes),
    "--format",
    format,
    ...(hasLongVideos ? ["--match-filters", `!is_live & duration<=${longestReelSeconds}`] : []),
    ...(runsJavaScript && nodeSolves() ? ["--js-runtimes", `node:${process.execPath}`] : []),
    ...(run.cookiesFile === undefined ? [] : ["--cookies", run.cookiesFile]),
    "--",
    run.url,
  ];
}
