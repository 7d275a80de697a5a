import { instagramLinks } from "./instagram-links.ts";
import type { LinkGrammar } from "./link-grammar.ts";
import { tiktokLinks } from "./tiktok-links.ts";
import { youtubeLinks } from "./youtube-links.ts";

/** The grammars of all platforms. */
export const linkGrammars: readonly LinkGrammar[] = [instagramLinks, tiktokLinks, youtubeLinks];

/** The platform of a host. */
export const grammarAt = (hostname: string): LinkGrammar | undefined =>
  linkGrammars.find(({ hosts }) => hosts.includes(hostname));

/** True if a host belongs to a platform but isn't one of its hosts for links to reels. */
export const isBelowPlatform = (hostname: string): boolean =>
  linkGrammars.some(({ hosts }) => hosts.some((host) => hostname.endsWith(`.${host}`)));
