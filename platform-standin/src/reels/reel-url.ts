import { shareIdOf } from "./share-links.ts";
import type { StandinReel } from "./standin-reel.ts";

export const urlShapes = [
  "reel",
  "reels",
  "p",
  "tv",
  "userReel",
  "userPost",
  "share",
  "shareReel",
  "sharePost",
  "embed",
  "embedCaptioned",
  "tracked",
] as const;

export type UrlShape = (typeof urlShapes)[number];

/** One of the addresses at which the platform shows this post. */
export function reelUrl(origin: string, reel: StandinReel, shape: UrlShape = "reel"): string {
  const { code, owner } = reel;
  const paths: Record<UrlShape, string> = {
    reel: `/reel/${code}/`,
    reels: `/reels/${code}/`,
    p: `/p/${code}/`,
    tv: `/tv/${code}/`,
    userReel: `/${owner.username}/reel/${code}/`,
    userPost: `/${owner.username}/p/${code}/`,
    share: `/share/${shareIdOf(code)}`,
    shareReel: `/share/reel/${shareIdOf(code)}`,
    sharePost: `/share/p/${shareIdOf(code)}/`,
    embed: `/reel/${code}/embed/`,
    embedCaptioned: `/p/${code}/embed/captioned/`,
    tracked: `/reel/${code}/?igsh=NWN3Y2ZuZ2prem9p&utm_source=ig_web_copy_link`,
  };
  return origin + paths[shape];
}
