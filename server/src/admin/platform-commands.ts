import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";
import type { WayCheck } from "../adapters/platforms/check-ways.ts";
import type { OpenExit } from "../adapters/platforms/exits.ts";
import type { Platform } from "../adapters/platforms/platform.ts";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { readReelUrl } from "../adapters/platforms/reel-locator.ts";
import { createReelSources } from "../adapters/reel-sources.ts";
import type { Clock, ReelAddress } from "../ports.ts";
import type { Config } from "../settings/config.ts";
import { isLoopback } from "../settings/is-loopback.ts";
import type { Syntax } from "./syntaxes.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable } from "./admin-text.ts";

export type PlatformCommandName = "platformCheck";

export const isPlatformCommand = (name: string): name is PlatformCommandName => name === "platformCheck";

export const platformSyntaxes: readonly Syntax<PlatformCommandName>[] = [
  {
    words: ["platform", "check"],
    command: "platformCheck",
    summary: "Ask the platform for reels by each way alone, from each address; exit code 1 when none gives data",
    operand: {
      name: "urls",
      value: "reel url",
      required: false,
      repeated: true,
      description: "Public reels; unless given, PLATFORM_CANARY_URL, or in development a reel of the stand-in",
    },
    flags: [
      {
        name: "save",
        value: "folder",
        required: false,
        description: "Keep the answers there, without cookies, tokens and signatures",
      },
    ],
    example: "platform check https://www.instagram.com/reel/DLlGZiCOBQ0/ --save answers",
  },
];

interface CheckedReel {
  readonly url: string;
  readonly checks: readonly Omit<WayCheck, "answers">[];
}

export interface PlatformCheck {
  readonly reels: readonly CheckedReel[];
  /** Whether any way gave data. */
  readonly hasData: boolean;
}

export interface PlatformAccess {
  readonly config: Config;
  readonly clock: Clock;
  /** Where the paths start that the operator types. */
  readonly workingDirectory: string;
  /** Told what is under way, for people. */
  readonly say: (message: string) => void;
}

/** Asks for every reel by every way from every address, one request after the other. Throws `AdminError`. */
export async function checkPlatform(
  input: Readonly<Record<string, string>>,
  access: PlatformAccess,
): Promise<PlatformCheck> {
  const { config } = access;
  const folder = input["save"] === undefined ? undefined : path.resolve(access.workingDirectory, input["save"]);
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const given = input["urls"]?.split(" ") ?? (config.platformCanaryUrl ? [config.platformCanaryUrl] : undefined);
  if (given === undefined && config.production)
    throw new AdminError("usage", "a reel's URL is missing, and PLATFORM_CANARY_URL is not set");
  const standin = given === undefined ? await startStandin() : undefined;
  try {
    const reels: CheckedReel[] = [];
    for (const url of given ?? [standin!.exampleUrl])
      reels.push(await checkReel(url, folder, reels.length + 1, access));
    return { reels, hasData: reels.some(({ checks }) => checks.some(({ came }) => came === "data")) };
  } finally {
    await standin?.close();
  }
}

/** Loaded only when it is needed. */
async function startStandin() {
  const { startPlatformStandin } = await import("@reelscript/platform-standin");
  const standin = await startPlatformStandin({ port: 0 });
  const example = standin.reels.find(({ kind }) => kind === "speech");
  return { exampleUrl: standin.urlOf(example!.code), close: () => standin.close() };
}

async function checkReel(
  url: string,
  folder: string | undefined,
  number: number,
  access: PlatformAccess,
): Promise<CheckedReel> {
  const { config, clock, say } = access;
  const { platform, reel } = locate(url, config);
  const { dataDirectory, searchPath, sources: order, ytdlp } = config;
  const sources = await createReelSources({
    order,
    platforms: [platform],
    ytdlp: { ...ytdlp, dataDirectory, searchPath },
    clock,
    log: () => undefined,
    onHint: say,
  });
  const signal = new AbortController().signal;
  const { ways, check } = sources.checksOf(platform);
  const checks: CheckedReel["checks"][number][] = [];
  for (const exit of exitsOf(platform, config))
    for (const way of ways) {
      const { answers, ...row } = await check(way, exit, reel, signal);
      checks.push(row);
      if (folder !== undefined)
        for (const [index, { status, text }] of answers.entries())
          await writeFile(
            path.join(folder, [number, fileName(exit.name), way, index + 1, `${status}.txt`].join("-")),
            platform.strikeOut(text),
          );
    }
  if (folder !== undefined)
    await writeFile(path.join(folder, `${number}.json`), JSON.stringify({ url, checks }, undefined, 2));
  return { url: reel.url, checks };
}

const fileName = (text: string): string => text.replaceAll(/[^\w.]+/g, "_");

function locate(url: string, { production }: Config): { readonly platform: Platform; readonly reel: ReelAddress } {
  const { origin } = URL.canParse(url) ? new URL(url) : { origin: "" };
  const platforms =
    !production && isLoopback(url) ? [standinPlatform({ origin, mediaOrigin: origin })] : publicPlatforms;
  try {
    const found = readReelUrl(url, platforms);
    if (found.kind === "share") throw new AdminError("refused", "give the reel's own URL instead of a share link");
    const platform = platforms.find(({ name }) => name === found.address.platform)!; // safe: it was found among them
    return { platform, reel: found.address };
  } catch (error) {
    throw error instanceof ServiceError ? new AdminError("refused", error.message, error) : error;
  }
}

/** At the pace of the settings; what a running service asks for meanwhile is not counted. */
function exitsOf(platform: Platform, { platformProxies: proxies, platformIntervalSeconds }: Config): OpenExit[] {
  const intervalSeconds = platform.mayBePrivate ? 0 : platformIntervalSeconds;
  const all = platform.mayBePrivate || proxies.length === 0 ? [undefined] : proxies;
  return all.map((proxy) => {
    let nextAt = 0;
    return {
      name: proxy?.name ?? "direct",
      proxy,
      intervalSeconds,
      hasNext: () => false,
      async turn() {
        await pause(Math.max(0, nextAt - performance.now()));
        nextAt = performance.now() + intervalSeconds * 1_000;
      },
    };
  });
}

/** The answer of the command for people. */
export const platformText = ({ reels, hasData }: PlatformCheck): string =>
  [
    ...reels.flatMap(({ url, checks }) => [
      url,
      "",
      alignedTable(
        ["WAY", "ADDRESS", "STATUS", "CAME", "BYTES", "MS"],
        checks.map(({ way, address, status, came, bytes, milliseconds }) => [
          way,
          address,
          String(status ?? "–"),
          came,
          String(bytes ?? "–"),
          String(milliseconds),
        ]),
      ),
      "",
    ]),
    hasData ? "At least one way gives data." : "No way gives data.",
  ].join("\n");
