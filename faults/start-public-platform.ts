import { type AddedReel, allDoors, startPlatformStandin } from "@reelscript/platform-standin";
import { lackingForRoad, mediaHost, startPlatformRoad } from "../scripts/processes/start-platform-road.ts";
import type { KnownReel } from "./ledger.ts";
import { Impossible } from "./waiting.ts";

/** A platform under its public name, which processes only reach through proxies. */
export interface PublicPlatform {
  /** Settings of a process that uses it; none where it can't run. */
  readonly settings: Readonly<Record<string, string>>;
  /** Throws if it can't run here. */
  addReel(reel: AddedReel): KnownReel;
  /** The proxies open no tunnel, or open them again. */
  setProxies(state: "cut" | "open"): void;
  /** The platform answers everything with 429, or serves again. */
  setWall(isWalled: boolean): void;
  close(): Promise<void>;
}

const exits = 2;

/** The other platform's reels were posted months earlier, so that no two reels have the same id. */
const firstPostedAt = Date.UTC(2025, 6, 1);

export async function startPublicPlatform(folder: string): Promise<PublicPlatform> {
  const standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
  let reels = 0;
  const road = lackingForRoad === undefined ? await startPlatformRoad(standin, folder, { exits }) : undefined;
  return {
    settings: road
      ? {
          PLATFORM_PROXY: road.proxy,
          PLATFORM_INTERVAL_SECONDS: "0",
          NODE_EXTRA_CA_CERTS: road.authority,
          SOURCES: "platform",
        }
      : {},
    addReel(added) {
      if (road === undefined) throw new Impossible(lackingForRoad!);
      reels += 1;
      const postedAt = new Date(firstPostedAt + reels * 60_000);
      const { code, mediaId } = standin.addReel({ postedAt, ...added });
      return { code, mediaId, url: `https://www.instagram.com/reel/${code}/` };
    },
    setProxies(state) {
      if (state === "cut") road?.cut();
      else road?.open();
    },
    setWall(isWalled) {
      standin.setWall(isWalled ? { name: "tooManyRequests", doors: allDoors } : undefined);
    },
    async close() {
      await road?.close();
      await standin.close();
    },
  };
}
