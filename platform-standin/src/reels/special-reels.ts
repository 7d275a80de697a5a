import type { MadeMedia } from "../made-media/made-media.ts";
import type { MediaFault } from "../doors/media-fault.ts";
import type { StandinReel } from "./standin-reel.ts";
import { allDoors, jsonDoors, type Door, type Wall, type WallName } from "../doors/wall.ts";

/** Left-to-right and right-to-left scripts, joined emoji, a flag, combining marks and a zero-width joiner. */
const mixedCaption =
  "Salam سلام עולם 🌍👩🏽‍🚀🏳️‍🌈🇮🇳 naïve café e\u0301 \u202Eabc\u202C क्षत्रिय வணக்கம் తెలుగు 日本語\n\n" +
  "#مرحبا #שלום #café #नमस्ते @qahwat.alsabah @added.reels";

const captionLimit = 2200;

/** Uses the platform's limit to the last character. */
function longestCaption(): string {
  const line = "Every line of this caption says the same thing, and it says it again ✨ ";
  return `${line.repeat(captionLimit / line.length + 1).slice(0, captionLimit - 1)}!`;
}

const markupCaption = `</script><script>alert(1)</script> "quotes" & <b>tags</b> \\u003C {"contextJSON":"[]]],"}`;

/** A post that tests one case, with its differences from the stored reel (or reels) that it shows. */
export interface SpecialReel {
  readonly code: string;
  readonly kind: string;
  /** Describes what happens to a caller. */
  readonly note: string;
  /** Names of stored reels, `en-amiable` by default; several make a carousel. */
  readonly base?: readonly string[];
  readonly change?: Partial<Pick<StandinReel, "caption" | "likes" | "views" | "plays" | "availability" | "text">>;
  /** The platform's facts about the video that differ from the file. */
  readonly claim?: { hasAudio?: boolean; seconds?: number };
  readonly photo?: boolean;
  readonly ownerIsPrivate?: boolean;
  readonly coauthors?: readonly string[];
  readonly form?: StandinReel["form"];
  readonly madeMedia?: MadeMedia;
  readonly fault?: MediaFault;
  readonly wall?: Wall;
}

const privateTail = "StandinPrivatePostTail012345";
const longParts = ["en-austen", "en-half-minute", "en-weasels", "en-amiable"] as const;
const tooBig = 150 * 1024 * 1024;

type Special = Omit<SpecialReel, "code" | "kind" | "note">;
/** A code, its kind, a description of what happens to a caller, and its differences. */
type Row<More> = readonly [code: string, kind: string, note: string, more: More];
const rowsOf = <More>(rows: readonly Row<More>[], specialOf: (more: More) => Special): SpecialReel[] =>
  rows.map(([code, kind, note, more]) => ({ code, kind, note, ...specialOf(more) }));

const joined = (rounds: number) =>
  ({ base: ["en-austen"], madeMedia: { name: "joined", reels: longParts, rounds } }) as const;

const forms: readonly Row<Special>[] = [
  ["aTenLetter", "oldCode", "a code of ten characters, from 2013", {}],
  ["CfmCarousel", "carousel", "two videos in one post", { base: ["es-ocupados", "en-weasels"] }],
  ["CfmPhoto001", "photo", "a photo: no video", { photo: true }],
  ["CfmNoCaptio", "nullCaption", "no caption", { change: { caption: null } }],
  ["CfmEmojiRtl", "mixedCaption", "emoji and both directions", { change: { caption: mixedCaption } }],
  ["CfmLongCapt", "longCaption", "2,200 characters", { change: { caption: longestCaption() } }],
  ["CfmMarkupCa", "markupCaption", "a caption full of markup", { change: { caption: markupCaption } }],
  ["CfmHiddenLi", "hiddenLikes", "likes and views not told", { change: { likes: null, views: null, plays: null } }],
  ["CfmCoauthor", "coauthors", "three accounts posted it", { coauthors: ["office.bloopers", "openphone.lab"] }],
  ["CfmBarePost", "bare", "no manifest, picture list or date", { form: "bare" }],
  ["CfmXheSound", "unreadableSound", "xHE-AAC alone in the manifest", { form: "unreadableSound" }],
  ["CfmNoEmbed1", "noEmbed", "its owner forbids embedding", { form: "noEmbed" }],
  ["CfmNoSound2", "noSound", "one more without sound", { base: ["no-audio"] }],
  ["CfmNinetySe", "ninetySeconds", "about 90 s, four reels joined", joined(1)],
  ["CfmFifteenM", "fifteenMinutes", "just under 15 min, joined", joined(10)],
  ["CfmSixteenM", "sixteenMinutes", "over 16 min, joined", joined(11)],
];

const notShown: readonly Row<StandinReel["availability"]>[] = [
  [`CnoPrivate1${privateTail}`, "private", "a post of a private account", "private"],
  ["CnoPrivate3", "privateShortCode", "private behind an ordinary code", "private"],
  ["CnoDeleted1", "deleted", "was there once", "deleted"],
  ["CnoAgeGated", "ageGated", "for adults who log in", "ageGated"],
  ["CnoRegionGa", "regionGated", "not shown in this region", "regionGated"],
  ["CnoUnsaidGa", "gatedWithoutReason", "gated; only the ruling says why", "gatedWithoutReason"],
  ["CnoPageNone", "unknownToPage", "its page says that it is not there, the queries have it", "unknownToPage"],
  [
    "CnoQueryNon",
    "unknownToQuery",
    "null from the first query, a page without data; the second query has it",
    "unknownToQuery",
  ],
];
const privateShown: SpecialReel = {
  code: `CnoPrivate2${privateTail}`,
  kind: "privateShown",
  note: "private, and told all the same",
  ownerIsPrivate: true,
};

const walledEverywhere: readonly (readonly [string, WallName, string])[] = [
  ["CwlPleaseWa", "pleaseWait", "401 and the advice to wait"],
  ["CwlTooManyR", "tooManyRequests", "429"],
  ["CwlLoginPag", "loginRedirect", "302 to the login page"],
  ["CwlLoginRou", "loginRoute", "200 with the login page"],
  ["CwlHomePage", "homeRedirect", "302 to the home page"],
  ["CwlEmptyDat", "emptyData", "200, a post's page without the post"],
  ["CwlMissCsrf", "missingCsrf", "403, whatever token is sent"],
  ["CwlHtmlInst", "htmlInsteadOfJson", "an application without data where JSON is due"],
  ["CwlSchemaDr", "schemaDrift", "fields renamed overnight"],
  ["CwlSlowDrip", "slowDrip", "a byte every 200 ms"],
  ["CwlMidBodyC", "midBodyCut", "the line is cut in the middle"],
  ["CwlServerEr", "serverError", "500"],
  ["CwlEndlessJ", "endlessJson", "JSON without end"],
];

const otherDoorsThan = (open: Door): Door[] => allDoors.filter((door) => door !== open);

const walls: readonly Row<Wall>[] = [
  ...walledEverywhere.map(([code, name, note]) => [code, `wall:${name}`, note, { name, doors: allDoors }] as const),
  [
    "CwlEmbedOnl",
    "embedOnly",
    "walled, but the embed page answers",
    { name: "pleaseWait", doors: otherDoorsThan("embed") },
  ],
  ["CwlPageOnly", "pageOnly", "walled, but the page answers", { name: "pleaseWait", doors: otherDoorsThan("page") }],
  ["CwlJsonOnly", "jsonWalled", "JSON walled; page and embed answer", { name: "tooManyRequests", doors: jsonDoors }],
  [
    "CwlDriftJso",
    "jsonDrifted",
    "JSON drifted; page and embed as ever",
    { name: "schemaDrift", doors: ["graphql", "secondQuery", "info"] },
  ],
];

const faults: readonly Row<MediaFault>[] = [
  ["CmfExpired1", "expiredMedia", "the link has ended: 403", { name: "expiredLink" }],
  ["CmfEndedOnc", "endedOnceMedia", "the first link has ended, those after it have not", { name: "endedOnce" }],
  ["CmfNotFound", "missingMedia", "404", { name: "notFound" }],
  ["CmfCutMiddl", "cutMedia", "the line is cut in the middle", { name: "midBodyCut" }],
  ["CmfTooLongL", "lengthTooLong", "declares twice what comes", { name: "lengthTooLong" }],
  ["CmfTooShort", "lengthTooShort", "declares half of what comes", { name: "lengthTooShort" }],
  ["CmfSlowDrip", "slowMedia", "a byte every 200 ms", { name: "slowDrip" }],
  ["CmfEndless1", "endlessMedia", "no length and no end", { name: "endlessBody" }],
  ["CmfTooBig01", "hugeMedia", "150 MiB, declared", { name: "declaredBytes", bytes: tooBig }],
  [
    "CmfInside01",
    "redirectToPrivate",
    "redirects to a private address",
    { name: "redirect", location: "http://169.254.169.254/latest/meta-data/" },
  ],
  ["CmfInside02", "redirectToForbidden", "redirects to another loopback port", { name: "redirectToForbidden" }],
  ["CmfLoop0001", "redirectLoop", "redirects to itself", { name: "redirectLoop" }],
  [
    "CmfLinkIn01",
    "linkToPrivate",
    "the JSON itself names a private address",
    { name: "link", url: "http://10.0.0.1/video.mp4" },
  ],
  ["CmfLinkFile", "linkToFile", "the JSON itself names a file", { name: "link", url: "file:///etc/passwd" }],
  ["CmfHtmlType", "wrongContentType", "a good video declared as HTML", { name: "contentType", type: "text/html" }],
];

const badMedia: readonly Row<MadeMedia>[] = [
  ["CbdCutTail1", "truncated", "tables whole, data cut at 55 %", { name: "cutTail" }],
  ["CbdCutTable", "truncatedTables", "data without tables", { name: "cutTables" }],
  ["CbdScramble", "corrupt", "tables whole, data noise", { name: "scrambledData" }],
  ["CbdInflated", "corruptTables", "tables claim 2,147,483,632 samples", { name: "inflatedTables" }],
  ["CbdPlaylist", "playlist", "a playlist in disguise", { name: "playlist" }],
  ["CbdScriptIn", "concatScript", "a concat script in disguise", { name: "script" }],
  ["CbdPageInst", "htmlMedia", "a web page in disguise", { name: "page" }],
  ["CbdEmpty001", "emptyMedia", "no bytes at all", { name: "empty" }],
  ["CbdUnknownC", "unknownCodec", "AAC of object type 42 (xHE-AAC)", { name: "unknownCodec" }],
  ["CbdBomb24ho", "bomb", "24 h of FLAC in half a megabyte", { name: "flacBomb", hours: 24 }],
];

const undeclaredNoAudio: SpecialReel = {
  code: "CbdNoTrack1",
  kind: "undeclaredNoAudio",
  note: "no audio track, though the platform says there is",
  base: ["no-audio"],
  claim: { hasAudio: true },
};

export const specialGroups: readonly { readonly title: string; readonly reels: readonly SpecialReel[] }[] = [
  { title: "Odd forms", reels: rowsOf(forms, (special) => special) },
  {
    title: "Not public",
    reels: [
      ...rowsOf(notShown, (availability) => ({
        change: { availability },
        ownerIsPrivate: availability === "private",
      })),
      privateShown,
    ],
  },
  { title: "Walls", reels: rowsOf(walls, (wall) => ({ wall })) },
  { title: "Media that go wrong on the way", reels: rowsOf(faults, (fault) => ({ fault })) },
  {
    title: "Broken media",
    reels: [
      ...rowsOf(badMedia, (madeMedia) => ({ madeMedia, change: { text: "" }, claim: { seconds: 20 } })),
      undeclaredNoAudio,
    ],
  },
];

/** Every special code. Its `kind` names the case; its `note` says what happens to a caller. */
export const specialReels: readonly SpecialReel[] = specialGroups.flatMap(({ reels }) => reels);
