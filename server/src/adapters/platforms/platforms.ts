import { instagram } from "./instagram/instagram.ts";
import type { Platform } from "./platform.ts";
import { tiktok } from "./tiktok.ts";
import { youtubeShorts } from "./youtube-shorts.ts";

/** Every platform whose reels are taken. */
export const publicPlatforms: readonly Platform[] = [instagram, tiktok, youtubeShorts];

/** A stand-in of a platform that the operator runs; `origin` and `mediaOrigin` may be anywhere, loopback too. */
export function standinPlatform(standin: { readonly origin: string; readonly mediaOrigin: string }): Platform {
  return {
    ...instagram,
    name: "standin",
    origin: new URL(standin.origin).origin,
    links: { ...instagram.links, label: "the simulated platform", hosts: [] },
    otherOrigins: [new URL(standin.mediaOrigin).origin],
    mayBePrivate: true,
  };
}
