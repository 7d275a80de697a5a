import { ServiceError } from "@reelscript/contract";
import type { Canary } from "../../ports.ts";
import type { WayChecks } from "./check-ways.ts";
import type { Platform } from "./platform.ts";
import { readReelUrl } from "./reel-url.ts";

/** Throws when `url` is not the URL of a reel of one of the platforms. */
export function createCanary(
  url: string,
  platforms: readonly Platform[],
  checksOf: (platform: Platform) => WayChecks,
): Canary {
  const { platform, address } = locate(url, platforms);
  const { ways, check } = checksOf(platform);
  const exit = { name: "direct", proxy: undefined, turn: () => Promise.resolve() };
  return {
    ways,
    ask: async (way, signal) => (await check(way, exit, address, signal)).came,
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
