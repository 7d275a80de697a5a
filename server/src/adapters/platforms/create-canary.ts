import { ServiceError } from "@reelscript/contract";
import type { Canary } from "../../ports.ts";
import type { WayChecks } from "./check-ways.ts";
import type { Exits } from "./exits.ts";
import type { Platform } from "./platform.ts";
import { readReelUrl } from "./reel-url.ts";

/** Throws when `url` is not the URL of a reel of one of the platforms. */
export function createCanary(
  url: string,
  parts: {
    readonly platforms: readonly Platform[];
    readonly checksOf: (platform: Platform) => WayChecks;
    readonly exitsOf: (platform: Platform) => Exits;
  },
): Canary {
  const { platform, address } = locate(url, parts.platforms);
  const { ways, check } = parts.checksOf(platform);
  const exits = parts.exitsOf(platform);
  return {
    ways,
    // Also from an address that rests: that it is walled is what the operator wants to know.
    ask: (way, signal) =>
      exits
        .use({ signal, evenResting: true }, async (exit) => (await check(way, exit, address, signal)).came)
        .catch((error: unknown) => {
          if (error instanceof ServiceError) return "busy";
          throw error;
        }),
  };
}

function locate(url: string, platforms: readonly Platform[]) {
  try {
    const found = readReelUrl(url, platforms);
    const platform = platforms.find(({ name }) => found.kind === "reel" && name === found.address.platform);
    if (platform !== undefined && found.kind === "reel") return { platform, address: found.address };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  throw new Error("PLATFORM_CANARY_URL: must be the own URL of a public reel, and no share link");
}
