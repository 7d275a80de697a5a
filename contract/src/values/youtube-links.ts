import type { LinkGrammar, ReelLink } from "./link-grammar.ts";

const shortHost = "youtu.be";
/** 64 bits in letters of six, so that the last one has only four. */
const codePattern = /^[\w-]{10}[AEIMQUYcgkosw048]$/;
const handlePattern = /^@[\w.·-]{3,30}$/;
const other: ReelLink = { kind: "other" };

export const youtubeLinks: LinkGrammar = {
  platform: "youtube",
  label: "YouTube",
  origin: "https://www.youtube.com",
  hosts: ["youtube.com", "www.youtube.com", "m.youtube.com", shortHost],
  wrappers: {},
  pathOf: (code) => `/shorts/${code}`,
  playerOf: (code, second) => `https://www.youtube-nocookie.com/embed/${code}?start=${second}`,
  read(url) {
    const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "");
    if (url.hostname === shortHost) return second === "" ? reelAt(first) : other;
    if (first === "shorts") return reelAt(second);
    if (first === "watch") return second === "" ? reelAt(url.searchParams.get("v") ?? "") : other;
    if (first === "source") return { kind: "sound" };
    return handlePattern.test(first) && (second === "" || second === "shorts")
      ? { kind: "profile", handle: first.slice(1).toLowerCase() }
      : other;
  },
};

const reelAt = (code: string): ReelLink => (codePattern.test(code) ? { kind: "reel", code } : other);
