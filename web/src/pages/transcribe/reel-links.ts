import { grammarAt, linkGrammars, readLink } from "@reelscript/contract/values";

/** More at once are left for the next time. */
export const mostLinks = 50;

export interface FoundLinks {
  /** Addresses of reels without what tracks people, each reel once, in order. */
  readonly reels: readonly string[];
  readonly rest: readonly string[];
  /** Links that lead to something else, as they were written, each once. */
  readonly others: readonly string[];
}

const hosts = linkGrammars
  .flatMap((grammar) => [...grammar.hosts, ...Object.keys(grammar.wrappers)])
  .map((host) => host.replaceAll(".", "\\."))
  .join("|");
const link = new RegExp(
  `https?://[^\\s<>"“”«»\\\\^\`{|}]+|(?<![\\p{L}\\p{N}@/._-])(?:${hosts})/[^\\s<>"“”«»\\\\^\`{|}]+`,
  "giu",
);
const clinging = /[.,;:!?)\]*~'’…]+$/u;
const mostWrappings = 3;

/** Finds the reels in whatever was pasted: bare addresses, share texts, links wrapped in others. */
export function reelLinksIn(text: string): FoundLinks {
  const reels = new Map<string, string>();
  const others = new Set<string>();
  for (const [found] of text.matchAll(link)) {
    const address = found.replace(clinging, "");
    const reel = reelOf(address, mostWrappings);
    if (reel === undefined) others.add(address);
    else if (!reels.has(reel.key)) reels.set(reel.key, reel.url);
  }
  const found = [...reels.values()];
  return { reels: found.slice(0, mostLinks), rest: found.slice(mostLinks), others: [...others] };
}

interface Reel {
  /** The same for every shape of a reel's address. */
  readonly key: string;
  readonly url: string;
}

function reelOf(text: string, wrappings: number): Reel | undefined {
  const full = /^https?:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(full)) return undefined;
  const url = new URL(full);
  const found = readLink(url);
  if (found.kind === "reel" || found.kind === "share") {
    const platform = grammarAt(url.hostname);
    url.search = "";
    url.hash = "";
    url.username = "";
    url.password = "";
    // The query may be what names the reel.
    const isWhole = found.kind === "share" || readLink(url).kind === "reel" || platform === undefined;
    return {
      key: [platform?.platform, found.kind, found.kind === "reel" ? found.code : found.id].join(" "),
      url: isWhole ? url.href : `${platform.origin}${platform.pathOf(found.code)}`,
    };
  }
  if (wrappings === 0) return undefined;
  for (const value of url.searchParams.values()) {
    const inner = /^https?:\/\//i.test(value) ? reelOf(value, wrappings - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export const reelKey = (url: string): string => reelOf(url, 0)?.key ?? url;
