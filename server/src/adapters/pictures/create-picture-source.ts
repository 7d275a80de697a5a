import type { PictureSource } from "../../ports.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { browserUserAgent } from "../platforms/browser.ts";
import type { Platform } from "../platforms/platform.ts";
import { drawElsewhere } from "./draw-elsewhere.ts";

const maxBytes = 8_000_000;
/** Those of all accounts together: they leave room for the images that people upload. */
const owner = { name: "reels", waiting: 16 };
const limits = { mediaSeconds: 10, silenceSeconds: 5 };

/** Pictures from the hosts of these platforms and no others. */
export function createPictureSource(platforms: readonly Platform[]): PictureSource {
  const fetches = new Map(
    platforms.map(({ name, origin, otherOrigins, mayBePrivate }) => [
      name,
      createGuardedFetch({ origins: [origin, ...otherOrigins], mayBePrivate, userAgent: browserUserAgent, limits }),
    ]),
  );
  return {
    async fetch(platform, url) {
      const fetch = fetches.get(platform);
      if (fetch === undefined) throw new Error(`no pictures of the platform ${platform}`);
      const { type, bytes } = await fetch.bytes(new URL(url), { maxBytes }, AbortSignal.timeout(15_000));
      if (!/^image\/(jpeg|png|webp)\s*(;|$)/i.test(type)) throw new Error(`the picture is of type ${type}`);
      return drawElsewhere({ kind: "thumbnail", bytes }, owner);
    },
  };
}
