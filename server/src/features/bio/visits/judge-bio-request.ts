import { createHmac, hash } from "node:crypto";
import { isbot } from "isbot";
import type { BioExclusion, BioVisit } from "../../../ports.ts";

/** A request for a bio page or one of its links. */
export interface BioRequest {
  readonly bioId: string;
  /** The link that is clicked; null for a view of the page. */
  readonly linkId: string | null;
  readonly method: string;
  /** Headers by name in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The visitor's network (`networkOf` its address). */
  readonly network: string;
  /** Reported by the page about its own request: scheme and host of the site that linked to it, empty without one. Anybody can forge it. */
  readonly from?: string | undefined;
  /** The host that the page is under. */
  readonly host: string;
  /** True if the page's own account is signed in. */
  readonly owner: boolean;
  /** Two capital letters; null when the country is unknown. */
  readonly country: string | null;
}

/** TikTok's link checker, which the list of bots lacks. */
const linkCheck = /thirdlandingpagefeinfra/i;

/** Every browser, in-app ones too, begins so; libraries and command lines do not. */
const browser = /^(?:Mozilla|Opera)\//;

/** Counts a request or says why not (docs/decisions/visits.md); `undefined` when it asked for no content and isn't recorded at all. */
export function judgeBioRequest({ method, headers, owner }: BioRequest): "counted" | BioExclusion | undefined {
  if (method !== "GET") return undefined;
  const userAgent = headerOf(headers, "user-agent");
  if (!browser.test(userAgent) || isbot(userAgent) || linkCheck.test(userAgent)) return "bots";
  const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => headerOf(headers, name));
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return "prefetch";
  return owner ? "owner" : "counted";
}

/** Hash of one browser in one network. Never written, because addresses can be guessed from it. */
export function browserOf({ network, headers }: BioRequest): Uint8Array {
  const parts = JSON.stringify([network, headerOf(headers, "user-agent")]);
  return hash("sha256", parts, "buffer");
}

/** 8 bytes that stay the same for one browser in one network on one page as long as the salt does. */
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
