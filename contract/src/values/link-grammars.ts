import { instagramLinks } from "./instagram-links.ts";
import type { LinkGrammar } from "./link-grammar.ts";
import { tiktokLinks } from "./tiktok-links.ts";
import { youtubeLinks } from "./youtube-links.ts";

/** The grammars of all platforms. */
export const linkGrammars: readonly LinkGrammar[] = [instagramLinks, tiktokLinks, youtubeLinks];

/** The platform that a host belongs to. */
export const grammarAt = (hostname: string): LinkGrammar | undefined =>
  linkGrammars.find(({ hosts }) => hosts.includes(hostname));

/** True if a host is below one of a platform without being one where links of reels are understood. */
export const isBelowPlatform = (hostname: string): boolean =>
  linkGrammars.some(({ hosts }) => hosts.some((host) => hostname.endsWith(`.${host}`)));
