import { ServiceError } from "@reelscript/contract";
import type { Clock, ReelAddress, ReelSource, Canary } from "../../ports.ts";
import type { FetchLimits } from "../guarded-fetch/guarded-fetch.ts";
import { directExits, type Exits, type OpenExit } from "./exits.ts";
import type { Platform, Sighting, Way } from "./platform.ts";
import { createPlatformSession, fetchThrough, tryWay } from "./platform-source.ts";
import { type WayVerdict } from "./source-failure.ts";
import { reelAt } from "./reel-locator.ts";

/** The result of one route from one of our addresses. */
export interface WayCheck {
  readonly way: string;
  /** The exit's name. */
  readonly address: string;
  /** Status of the last response; `null` if there was none, and for programs, which don't report it. */
  readonly status: number | null;
  readonly came: WayVerdict;
  /** Size of the last response; `null` if there was none. */
  readonly bytes: number | null;
  readonly milliseconds: number;
  /** The reason why there is no data; `null` if there is. */
  readonly said: string | null;
  /** Every response, unchanged. */
  readonly answers: readonly Sighting[];
}

/** The ways of a platform, each on its own. */
export interface WayChecks {
  /** Ordered as reels use them. */
  readonly ways: readonly string[];
  /** Tries one route on its own. Throws the reason of the signal, and our own faults. */
  readonly check: (name: string, exit: OpenExit, reel: ReelAddress, signal: AbortSignal) => Promise<WayCheck>;
}

const program = "yt-dlp";

/** The ways of a platform, and yt-dlp where it is one of them. */
export function createWayChecks(options: {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly limits?: Partial<FetchLimits> | undefined;
  /** yt-dlp through these exits, where it is installed. */
  readonly ytDlpAt: (exits: Exits) => ReelSource | undefined;
}): WayChecks {
  const { platform, clock, limits, ytDlpAt } = options;
  const platformWays = platform.createWays(clock);

  function wayNamed(name: string, exit: OpenExit, signal: AbortSignal): Way {
    const way = platformWays.find((one) => one.name === name);
    if (way !== undefined) return way;
    const ytdlp = name === program ? ytDlpAt({ use: (_visit, work) => work(exit) }) : undefined;
    if (ytdlp === undefined) throw new Error(`there is no way ${name}`);
    return {
      name,
      kind: "page",
      ask: async (reel) => ({ details: await ytdlp.resolve(reel, signal), mediaUrls: [reel.url] }),
    };
  }

  return {
    ways: [...platformWays.map(({ name }) => name), ...(ytDlpAt(directExits) ? [program] : [])],
    async check(name, exit, reel, signal) {
      const session = createPlatformSession(platform, fetchThrough(exit, platform, { limits }), exit, signal);
      const began = performance.now();
      const { verdict, failure } = await tryWay(wayNamed(name, exit, signal), reel, session);
      const last = session.seen.at(-1);
      return {
        way: name,
        address: exit.name,
        status: last?.status ?? null,
        came: verdict,
        bytes: last === undefined ? null : Buffer.byteLength(last.text),
        milliseconds: Math.round(performance.now() - began),
        said: failure === undefined ? null : platform.strikeOut(failure.message),
        answers: session.seen,
      };
    },
  };
}

/** Throws when `url` is not the URL of a reel of one of the platforms. */
export function createCanary(
  url: string,
  parts: {
    readonly platforms: readonly Platform[];
    readonly checksOf: (platform: Platform) => WayChecks;
    readonly exitsOf: (platform: Platform) => Exits;
  },
): Canary {
  const address = reelAt(url, parts.platforms);
  const platform = parts.platforms.find(({ name }) => name === address?.platform);
  if (address === undefined || platform === undefined)
    throw new Error("PLATFORM_CANARY_URL: must be the own URL of a public reel, and no share link");
  const { ways, check } = parts.checksOf(platform);
  const exits = parts.exitsOf(platform);
  return {
    ways,
    // Also uses a resting address, because the operator wants to know that it is walled.
    ask: (way, signal) =>
      exits
        .use({ signal, evenResting: true }, async (exit) => (await check(way, exit, address, signal)).came)
        .catch((error: unknown) => {
          if (error instanceof ServiceError) return "busy";
          throw error;
        }),
  };
}
