import { type LinkGrammar, partsOf, type ReelLink } from "./link-grammar.ts";

const reelKinds: ReadonlySet<string> = new Set(["reel", "reels", "p", "tv"]);
/** First parts of paths that are never the handle of an account. */
const notHandles: ReadonlySet<string> = new Set([
  ...reelKinds,
  "about",
  "accounts",
  "api",
  "ar",
  "challenge",
  "developer",
  "direct",
  "directory",
  "emails",
  "explore",
  "graphql",
  "legal",
  "locations",
  "press",
  "privacy",
  "share",
  "stories",
  "web",
]);
/** Parts of paths that are read in any case. */
const pageNames: ReadonlySet<string> = new Set([...reelKinds, "share", "stories"]);
const handlePattern = /^[\w.]{1,30}$/;
const codePattern = /^[\w-]{1,64}$/;
/** Sites with the same paths that show a preview of a reel in chats. */
const mirrors: readonly string[] = ["ddinstagram", "eeinstagram", "kkinstagram", "uuinstagram", "vxinstagram"];
const other: ReelLink = { kind: "other" };
const sound: ReelLink = { kind: "sound" };

export const instagramLinks: LinkGrammar = {
  platform: "instagram",
  label: "Instagram",
  origin: "https://www.instagram.com",
  hosts: [
    "instagram.com",
    "www.instagram.com",
    "m.instagram.com",
    "instagr.am",
    "www.instagr.am",
    ...mirrors.flatMap((name) => ["", "www.", "d.", "g."].map((below) => `${below}${name}.com`)),
  ],
  pathOf: (code) => `/reel/${code}/`,
  playerOf: (code) => `https://www.instagram.com/reel/${code}/embed/`,
  read(url) {
    const parts = partsOf(url);
    const [first = "", second = "", third = ""] = parts.map((part) =>
      pageNames.has(part.toLowerCase()) ? part.toLowerCase() : part,
    );
    if (first === "share") return shareAt(parts);
    if (first === "stories") return { kind: "story" };
    if (reelKinds.has(first)) return reelAt(second);
    if (!handlePattern.test(first) || notHandles.has(first.toLowerCase())) return other;
    if (reelKinds.has(second) && third !== "") return reelAt(third);
    return second === "" || second === "reels" ? { kind: "profile", handle: first.toLowerCase() } : other;
  },
};

function reelAt(code: string): ReelLink {
  if (code === "audio") return sound;
  return codePattern.test(code) ? { kind: "reel", code } : other;
}

function shareAt(parts: readonly string[]): ReelLink {
  const [, second = "", third = ""] = parts;
  const isNamed = reelKinds.has(second.toLowerCase());
  const id = isNamed ? third : second;
  if (parts.length !== (isNamed ? 3 : 2) || !codePattern.test(id)) return other;
  return { kind: "share", id, path: `/share/${isNamed ? `${second.toLowerCase()}/` : ""}${id}/` };
}
