import { type LinkGrammar, partsOf, type ReelLink, withoutFields } from "./link-grammar.ts";

const shortHosts: readonly string[] = ["youtu.be", "www.youtu.be"];
/** Path segments before a video's code; `e` and `v` belong to old players, `video` to the studio. */
const beforeCode: ReadonlySet<string> = new Set(["shorts", "embed", "live", "v", "e", "video"]);
const watchPages: ReadonlySet<string> = new Set(["", "watch", "watch_popup"]);
/** 64 bits in letters of six, so that the last one has only four. A player of lists has a word of as many letters. */
const codePattern = /^(?!videoseries$)[\w-]{10}[AEIMQUYcgkosw048]$/;
const handlePattern = /^@[\w.·-]{3,30}$/;
const other: ReelLink = { kind: "other" };

export const youtubeLinks: LinkGrammar = {
  platform: "youtube",
  label: "YouTube",
  origin: "https://www.youtube.com",
  hosts: [
    "youtube.com",
    "www.youtube.com",
    "m.youtube.com",
    "music.youtube.com",
    "studio.youtube.com",
    "youtube-nocookie.com",
    "www.youtube-nocookie.com",
    "youtubekids.com",
    "www.youtubekids.com",
    "youtube.googleapis.com",
    ...shortHosts,
  ],
  pathOf: (code) => `/shorts/${code}`,
  playerOf: (code, second) => `https://www.youtube-nocookie.com/embed/${code}?start=${second}`,
  read(url) {
    const [first = "", second = ""] = partsOf(url);
    if (shortHosts.includes(url.hostname)) return second === "" ? reelAt(first) : other;
    if (beforeCode.has(first.toLowerCase())) return reelAt(second);
    if (watchPages.has(first.toLowerCase())) return reelAt(second || withoutFields(url.searchParams.get("v") ?? ""));
    if (first === "source") return { kind: "sound" };
    return handlePattern.test(first) && (second === "" || second === "shorts")
      ? { kind: "profile", handle: first.slice(1).toLowerCase() }
      : other;
  },
};

const reelAt = (code: string): ReelLink => (codePattern.test(code) ? { kind: "reel", code } : other);
