import { bioLimits, ServiceError } from "@reelscript/contract";
import type { PictureSource, ImageSource } from "../../ports.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../guarded-fetch/guarded-fetch.ts";
import { directExits, type Exit, type Exits } from "../platforms/exits.ts";
import { fetchThrough, throwAsSourceFailure } from "../platforms/platform-source.ts";
import type { Platform } from "../platforms/platform.ts";
import { FetchFailure, type FetchFailureReason } from "../guarded-fetch/fetch-failure.ts";
import { drawElsewhere } from "./draw-elsewhere.ts";

const maxBytes = 8_000_000;
/** Thumbnails of all accounts wait as one owner's, to leave room for the images that people upload. */
const owner = { name: "reels", mostWaiting: 16 };
const limits = { mediaSeconds: 10, silenceSeconds: 5 };

/** Pictures from the hosts of these platforms and no others. */
export function createPictureSource(
  platforms: readonly Platform[],
  /** Without it they are fetched directly. */
  exitsOf: (platform: Platform) => Exits = () => directExits,
  drawSeconds?: number,
): PictureSource {
  return {
    async fetch(name, url) {
      const platform = platforms.find((one) => one.name === name);
      if (platform === undefined) throw new Error(`no pictures of the platform ${name}`);
      const signal = AbortSignal.timeout(15_000);
      const ask = (exit: Exit) =>
        fetchThrough(exit, platform, { limits }).bytes(new URL(url), maxBytes, signal).catch(throwAsSourceFailure);
      const { type, bytes } = await exitsOf(platform).use({ signal, turns: 0, evenResting: true }, ask);
      if (!/^image\/(jpeg|png|webp)\s*(;|$)/i.test(type)) throw new Error(`the picture is of type ${type}`);
      return drawElsewhere({ kind: "thumbnail", bytes }, owner, drawSeconds);
    },
  };
}

const userAgent = "Mozilla/5.0 (compatible; Reelscript/1.0)";
/** Images that may wait per account. A change of its page draws three at a time. */
const mostWaiting = 6;
const imageLimits = { mediaSeconds: 15, silenceSeconds: 5 };

/** One for both, so that names of private addresses can't be told from missing ones. */
const unreachable =
  "nothing on the public web answers at this address, or too slowly. Upload the image in the dashboard instead.";

const refusals: Readonly<Record<FetchFailureReason, string>> = {
  refused: unreachable,
  unreachable,
  proxyFailed: unreachable,
  tooLarge: `the image is larger than ${bioLimits.imageBytes / 1_000_000} MB.`,
  badStatus: "there is no image at this address.",
};

/** Images of any public https address. */
export function createImageSource(
  reach: Pick<GuardedFetchOptions, "origins" | "mayBePrivate" | "nameServers"> = {
    origins: ["https://*"],
    mayBePrivate: false,
  },
  drawSeconds?: number,
): ImageSource {
  const fetch = createGuardedFetch({ ...reach, userAgent, limits: imageLimits });
  return {
    async fetch(url, signal) {
      try {
        return (await fetch.bytes(new URL(url), bioLimits.imageBytes, signal)).bytes;
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        throw new ServiceError("invalidRequest", refusals[error.reason], { cause: error });
      }
    },
    draw: (accountId, bytes, crop) =>
      drawElsewhere({ kind: "image", bytes, crop }, { name: accountId, mostWaiting }, drawSeconds),
  };
}
