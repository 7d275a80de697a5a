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
const handlePattern = /^[\w.]{1,30}$/;
const codePattern = /^[\w-]{1,64}$/;
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
    "ddinstagram.com",
    "www.ddinstagram.com",
    "d.ddinstagram.com",
    "g.ddinstagram.com",
    "kkinstagram.com",
    "www.kkinstagram.com",
    "d.kkinstagram.com",
    "g.kkinstagram.com",
    "eeinstagram.com",
    "www.eeinstagram.com",
    "d.eeinstagram.com",
    "g.eeinstagram.com",
    "vxinstagram.com",
    "www.vxinstagram.com",
  ],
  pathOf: (code) => `/reel/${code}/`,
  playerOf: (code) => `https://www.instagram.com/reel/${code}/embed/`,
  read(url) {
    const parts = partsOf(url);
    const [given = "", second = "", third = ""] = parts;
    const first = given.toLowerCase();
    if (first === "share") return shareAt([first, ...parts.slice(1)]);
    if (first === "stories") return { kind: "story" };
    if (reelKinds.has(first)) return reelAt(second);
    if (!handlePattern.test(first) || notHandles.has(first)) return other;
    if (reelKinds.has(second.toLowerCase()) && third !== "") return reelAt(third);
    return second === "" || second.toLowerCase() === "reels" ? { kind: "profile", handle: first } : other;
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
  return { kind: "share", id, path: `/${parts.join("/")}/` };
}
