import { createHmac, hash } from "node:crypto";
import type { BioExclusion, BioVisit } from "../../../ports.ts";

/** What is known of a request for a bio page or one of its links. */
export interface BioRequest {
  readonly bioId: string;
  /** The link that is clicked; null for a view of the page. */
  readonly linkId: string | null;
  readonly method: string;
  /** By their names in small letters, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The visitor's network (`networkOf` its address). */
  readonly network: string;
  /** The host that the page is under. */
  readonly host: string;
  /** Whether the page's own account is signed in. */
  readonly owner: boolean;
  /** Two capital letters; null when there is nothing to tell it by. */
  readonly country: string | null;
}

/**
 * Programs that read pages on their own or for a preview, by what they call themselves. Covered: every name that ends in
 * "bot"; crawlers and spiders; the previews and indexers of Meta, WhatsApp, TikTok, Google, Bing, Slack, Skype, Snapchat,
 * Reddit and embedding services; assistants that fetch for a user; headless browsers and page testers. Not covered: programs
 * that claim to be a person's browser. "google" alone is no sign: in-app browsers on Pixel phones name their maker so. Nor
 * is "Cubot", a maker of phones.
 */
const machine = new RegExp(
  [
    "(?<!cu)bot(?![a-z])",
    "crawl",
    "spider",
    "slurp",
    "ia_archiver",
    "facebookexternalhit",
    "facebookcatalog",
    "meta-(?:externalagent|externalfetcher|webindexer)",
    "^whatsapp/",
    "thirdlandingpagefeinfra",
    "google-(?:inspectiontool|read-aloud|extended|safety|pagerenderer|site-verification)",
    "googleother",
    "google favicon",
    "googleimageproxy",
    "(?:mediapartners|apis|adsbot|feedfetcher)-google",
    "bingpreview",
    "slack-imgproxy",
    "skypeuripreview",
    "snap url preview",
    "vkshare",
    "embedly",
    "iframely",
    "(?:chatgpt|claude|perplexity|mistralai|meta-ai)-user",
    "headlesschrome",
    "phantomjs",
    "chrome-lighthouse",
    "gtmetrix",
    "pingdom",
    "ptst/",
  ].join("|"),
  "i",
);

/** Every browser, in-app ones too, begins so; libraries and command lines do not. */
const browser = /^(?:Mozilla|Opera)\//;

/** Whether a request is counted, or why not (docs/decisions/visits.md); `undefined` when it is not even told apart: it asked for no content. */
export function judgeBioRequest({ method, headers, owner }: BioRequest): "counted" | BioExclusion | undefined {
  if (method !== "GET") return undefined;
  const userAgent = headerOf(headers, "user-agent");
  if (!browser.test(userAgent) || machine.test(userAgent)) return "bots";
  const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => headerOf(headers, name));
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return "prefetch";
  return owner ? "owner" : "counted";
}

/** The same for one browser in one network. Never written, because addresses can be guessed from it. */
export function browserOf({ network, headers }: BioRequest): Uint8Array {
  const parts = JSON.stringify([network, headerOf(headers, "user-agent")]);
  return hash("sha256", parts, "buffer");
}

/** 8 bytes that are the same for one browser in one network on one page as long as the salt is. */
export const visitorOf = (salt: Uint8Array, bioId: string, browser: Uint8Array): Uint8Array =>
  createHmac("sha256", salt).update(browser).update(bioId).digest().subarray(0, 8);

export function deviceOf({ headers }: BioRequest): BioVisit["device"] {
  const userAgent = headerOf(headers, "user-agent");
  const tablet = /iPad|Tablet|Kindle|Silk\//i.test(userAgent);
  if (tablet || (/Android/i.test(userAgent) && !/Mobile/i.test(userAgent))) return "tablet";
  if (/Mobi|iPhone|iPod|Android|Opera Mini/i.test(userAgent)) return "mobile";
  return /Windows NT|Macintosh|X11|CrOS/i.test(userAgent) ? "desktop" : "unknown";
}

/** The first of that name, cut. */
export function headerOf(headers: BioRequest["headers"], name: string): string {
  const value = headers[name];
  return (typeof value === "string" ? value : (value?.[0] ?? "")).slice(0, 2_048);
}
