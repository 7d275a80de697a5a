import path from "node:path";
import { languageLine } from "@reelscript/contract";
import type { Config } from "../settings/config.ts";
import { languageQualityOf, unreadSummary } from "../recognition/recognizer-of.ts";
import type { Parts } from "./open-ports.ts";

interface BannerContent {
  readonly config: Config;
  readonly url: string | undefined;
  readonly metricsUrl?: string | undefined;
  readonly parts: Parts;
  /** Created on this start; shown once. */
  readonly developmentKey: string | undefined;
  /** The link for the operator's password, if people sign in by password and nobody has one yet. */
  readonly invitation?: string | undefined;
  /** True if people sign in by password and nobody has one yet. */
  readonly isUnused?: boolean;
  readonly seconds: number;
  readonly colors: boolean;
}

/** The text that a person sees when the service has started. */
export function banner(content: BannerContent): string {
  const { config, url, metricsUrl, parts, developmentKey, invitation, isUnused = false, seconds, colors } = content;
  const paint = (code: string) => (text: string) => (colors ? `\u001B[${code}m${text}\u001B[0m` : text);
  const bold = paint("1");
  const dim = paint("2");
  const accent = paint("38;5;209");
  const row = (name: string, value: string): string => `  ${dim(name.padEnd(12))}${value}`;
  const shownDirectory = path.relative(process.cwd(), config.dataDirectory) || ".";
  const lines = ["", `  ${accent("▐▌")} ${bold("Reelscript")}  ${dim(`ready in ${seconds.toFixed(1)} s`)}`, ""];
  if (url !== undefined)
    lines.push(
      row("dashboard", bold(`${url}/app`)),
      row("REST", bold(`${url}/api/v1`)),
      row("MCP", bold(`${url}/mcp`)),
    );
  else lines.push(row("role", "worker: takes transcriptions from the queue"));
  const quality = config.role === "api" ? undefined : languageQualityOf(config);
  const unread = quality && unreadSummary(quality);
  lines.push(
    row(
      "data",
      config.databaseUrl === undefined
        ? `${shownDirectory.startsWith("..") ? config.dataDirectory : `./${shownDirectory}`} (embedded database)`
        : "PostgreSQL",
    ),
    row("transcriber", parts.transcriber),
    ...(quality === undefined ? [] : [row("languages", languageLine(quality))]),
    ...(unread === undefined ? [] : [row("", dim(unread))]),
    row("reels from", parts.sources),
  );
  if (metricsUrl !== undefined) lines.push(row("metrics", metricsUrl));
  if (parts.standin)
    lines.push(row("stand-in", `${parts.standin.origin} ${dim("a local platform with reels to try")}`));
  if (isUnused)
    lines.push(
      "",
      row("invitation", bold(invitation ?? "npx --no-install reelscript account invite --email you@example.com")),
      row(
        "",
        dim(
          invitation === undefined
            ? "prints a link to set a password"
            : "set your password there; works once, for 7 days",
        ),
      ),
    );
  if (url !== undefined && !config.production && config.signIn.kind !== "password") {
    lines.push("");
    if (developmentKey === undefined)
      lines.push(
        row(
          "your key",
          dim("was shown on the first start; npx --no-install reelscript key create --account ID makes another"),
        ),
      );
    else
      lines.push(
        row("your key", bold(developmentKey)),
        row("", dim("shown only this once; the command line makes more: npx --no-install reelscript key --help")),
      );
    const reel = parts.standin?.exampleUrl ?? "https://www.instagram.com/reel/...";
    lines.push("", `  ${dim("Try it:")}`, "", curl(url, developmentKey ?? "$REELSCRIPT_API_KEY", reel));
  }
  lines.push("", `  ${dim("Ctrl-C stops.")}`, "");
  return lines.join("\n");
}

/** One line, ready to paste. */
const curl = (url: string, key: string, reel: string): string =>
  `curl -s ${url}/api/v1/transcribe -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"url":"${reel}"}'`;
