import { type LinkGrammar, partsOf, type ReelLink, withoutFields } from "./link-grammar.ts";

const shortHosts: readonly string[] = ["vm.tiktok.com", "vt.tiktok.com"];
/** Players, embeds, share sheets, and the export of an account's data. */
const idInPath = /^(?:v|video|embed(?:\/v\d)?|player\/v\d|(?:i18n\/)?share\/video)\/([^/]+?)(?:\.html)?(?:\/|$)/i;
const idPattern = /^[1-9]\d{7,18}$/;
const codePattern = /^\w{5,32}$/;
const handlePattern = /^@[\w.]{1,30}$/;
/** The handle may be missing, and in links of programs it is an account's number or a placeholder. */
const ownerPattern = /^@[\w.-]{0,100}$/;
const other: ReelLink = { kind: "other" };

export const tiktokLinks: LinkGrammar = {
  platform: "tiktok",
  label: "TikTok",
  origin: "https://www.tiktok.com",
  hosts: [
    "tiktok.com",
    "www.tiktok.com",
    "m.tiktok.com",
    "t.tiktok.com",
    "lite.tiktok.com",
    "tiktokv.com",
    "www.tiktokv.com",
    "vxtiktok.com",
    "www.vxtiktok.com",
    "tnktok.com",
    "www.tnktok.com",
    ...shortHosts,
  ],
  pathOf: (code) => `/@_/video/${code}`,
  playerOf: (code) => `https://www.tiktok.com/player/v1/${code}`,
  read(url) {
    const parts = partsOf(url);
    const [first = "", second = "", third = ""] = parts;
    if (shortHosts.includes(url.hostname))
      return shortLink(first, `/${first}/`, parts.length, `https://${url.hostname}`);
    if (first === "t") return shortLink(second, `/t/${second}/`, parts.length - 1);
    if (first === "music") return { kind: "sound" };
    const id = idInPath.exec(parts.join("/"))?.[1];
    if (id !== undefined) return reelAt(id);
    if (first === "" || first === "foryou") return reelAt(withoutFields(url.searchParams.get("item_id") ?? ""));
    if (!ownerPattern.test(first)) return other;
    if (/^(?:video|photo)$/i.test(second)) return reelAt(third);
    return second === "" && handlePattern.test(first)
      ? { kind: "profile", handle: first.slice(1).toLowerCase() }
      : other;
  },
};

const reelAt = (id: string): ReelLink => (idPattern.test(id) ? { kind: "reel", code: id } : other);

const shortLink = (id: string, path: string, parts: number, origin?: string): ReelLink =>
  parts === 1 && codePattern.test(id) ? { kind: "share", id, path, ...(origin && { origin }) } : other;
