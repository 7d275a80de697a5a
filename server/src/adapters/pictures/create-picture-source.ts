import type { PictureSource } from "../../ports.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { browserUserAgent } from "../platforms/browser.ts";
import { byExit, directExits, type Exit, type Exits } from "../platforms/exits.ts";
import { toSourceFailure } from "../platforms/platform-session.ts";
import type { Platform } from "../platforms/platform.ts";
import { drawElsewhere } from "./draw-elsewhere.ts";

const maxBytes = 8_000_000;
/** Those of all accounts together: they leave room for the images that people upload. */
const owner = { name: "reels", waiting: 16 };
const limits = { mediaSeconds: 10, silenceSeconds: 5 };

/** Pictures from the hosts of these platforms and no others. */
export function createPictureSource(
  platforms: readonly Platform[],
  /** Without it they are fetched directly. */
  exitsOf: (platform: Platform) => Exits = () => directExits,
): PictureSource {
  const byName = new Map(
    platforms.map((platform) => {
      const { name, origin, otherOrigins, mayBePrivate } = platform;
      const origins = [origin, ...otherOrigins];
      const fetchThrough = byExit(({ proxy }) =>
        createGuardedFetch({ origins, mayBePrivate, userAgent: browserUserAgent, limits, proxy }),
      );
      return [name, { exits: exitsOf(platform), fetchThrough }];
    }),
  );
  return {
    async fetch(platform, url) {
      const found = byName.get(platform);
      if (found === undefined) throw new Error(`no pictures of the platform ${platform}`);
      const signal = AbortSignal.timeout(15_000);
      const ask = (exit: Exit) =>
        found
          .fetchThrough(exit)
          .bytes(new URL(url), { maxBytes }, signal)
          .catch((error: unknown) => {
            throw toSourceFailure(error);
          });
      const { type, bytes } = await found.exits.use({ signal, turns: 0, evenResting: true }, ask);
      if (!/^image\/(jpeg|png|webp)\s*(;|$)/i.test(type)) throw new Error(`the picture is of type ${type}`);
      return drawElsewhere({ kind: "thumbnail", bytes }, owner);
    },
  };
}
