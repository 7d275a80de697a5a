import { instagramLinks } from "./instagram-links.ts";
import type { LinkGrammar } from "./link-grammar.ts";
import { tiktokLinks } from "./tiktok-links.ts";
import { youtubeLinks } from "./youtube-links.ts";

/** Of every platform whose reels are taken. */
export const linkGrammars: readonly LinkGrammar[] = [instagramLinks, tiktokLinks, youtubeLinks];

/** The platform that a host belongs to. */
export const grammarAt = (hostname: string): LinkGrammar | undefined =>
  linkGrammars.find(({ hosts }) => hosts.includes(hostname));

/** Whether a host stands below one of a platform without being one where links of reels are understood. */
export const isBelowPlatform = (hostname: string): boolean =>
  linkGrammars.some(({ hosts }) => hosts.some((known) => hostname.endsWith(`.${known}`)));
