import { instagramLinks } from "./instagram-links.ts";
import type { LinkGrammar, LinkUrl, ReelLink } from "./link-grammar.ts";

/** Of every platform whose reels are taken. */
export const linkGrammars: readonly LinkGrammar[] = [instagramLinks];

/** What a link leads to: at the hosts of a platform by its grammar, at others, such as a stand-in's, by whichever fits. */
export function readLink(url: LinkUrl): ReelLink {
  const own = linkGrammars.find(({ hosts }) => hosts.includes(url.hostname));
  const links = (own === undefined ? linkGrammars : [own]).map(({ read }) => read(url));
  return links.find(({ kind }) => kind === "reel" || kind === "share") ?? links[0] ?? { kind: "other" };
}
