import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { WayCheck } from "../adapters/platforms/check-ways.ts";
import type { OpenExit } from "../adapters/platforms/exits.ts";
import type { Platform } from "../adapters/platforms/platform.ts";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { readReelUrl } from "../adapters/platforms/reel-locator.ts";
import { createReelSources } from "../adapters/reel-sources.ts";
import type { ReelAddress } from "../ports.ts";
import type { Config } from "../settings/config.ts";
import { isLoopback } from "../settings/is-loopback.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable, field, localCommand, type CommandAccess } from "./command.ts";

interface CheckedReel {
  readonly url: string;
  readonly checks: readonly Omit<WayCheck, "answers">[];
}

interface PlatformCheck {
  readonly reels: readonly CheckedReel[];
  /** True if any route returned data. */
  readonly hasData: boolean;
}

export const platformCheck = localCommand({
  words: "platform check",
  summary: "Request reels by each route to the platform and from each address; exit code 1 if none returns data",
  fields: {
    urls: field(
      "reel url",
      "Public reels; default: PLATFORM_CANARY_URL, or in development a reel of the stand-in",
      z.string().optional(),
    ),
    save: field("folder", "Save the responses there, without cookies, tokens and signatures", z.string().optional()),
  },
  operand: "urls",
  isRepeated: true,
  example: "platform check https://www.instagram.com/reel/DLlGZiCOBQ0/ --save answers",
  run: checkPlatform,
  text: ({ reels, hasData }) =>
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
    ].join("\n"),
  hasFailed: ({ hasData }) => !hasData,
});

/** Requests every reel by every route from every address, one request after the other. */
async function checkPlatform(
  { urls, save }: { readonly urls?: string | undefined; readonly save?: string | undefined },
  access: CommandAccess,
): Promise<PlatformCheck> {
  const { config } = access;
  const folder = save === undefined ? undefined : path.resolve(access.workingDirectory, save);
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const given = urls?.split(" ") ?? (config.platformCanaryUrl ? [config.platformCanaryUrl] : undefined);
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

/** Loaded on demand. */
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
  access: CommandAccess,
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
  const link = readReelUrl(url, platforms);
  if (link.kind === "share") throw new AdminError("refused", "give the reel's own URL instead of a share link");
  const platform = platforms.find(({ name }) => name === link.address.platform)!; // safe: it was found among them
  return { platform, reel: link.address };
}

/** Paces requests by the settings, without counting those of a running service. */
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
