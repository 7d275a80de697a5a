import { instagramLinks } from "./instagram-links.ts";
import type { LinkGrammar, LinkUrl, ReelLink } from "./link-grammar.ts";
import { tiktokLinks } from "./tiktok-links.ts";
import { youtubeLinks } from "./youtube-links.ts";

/** Of every platform whose reels are taken. */
export const linkGrammars: readonly LinkGrammar[] = [instagramLinks, tiktokLinks, youtubeLinks];

/** The platform that a host belongs to. */
export const grammarAt = (hostname: string): LinkGrammar | undefined =>
  linkGrammars.find(({ hosts }) => hosts.includes(hostname));

/**
 * What a link leads to: at the hosts of a platform by its grammar. At hosts of nobody it may be a stand-in, which writes its
 * links as the first platform does.
 */
export function readLink(url: LinkUrl): ReelLink {
  const own = grammarAt(url.hostname);
  if (own !== undefined) return own.read(url);
  const isBelow = linkGrammars.some(({ hosts }) => hosts.some((host) => url.hostname.endsWith(`.${host}`)));
  return isBelow ? { kind: "other" } : instagramLinks.read(url);
}
