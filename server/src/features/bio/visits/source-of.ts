import { headerOf, type BioRequest } from "./judge-bio-request.ts";

const instagram = "instagram.com";

/** What people who make links write into `utm_source` for the places that most visitors come from. */
const places: Readonly<Record<string, string>> = {
  ig: instagram,
  instagram,
  fb: "facebook.com",
  facebook: "facebook.com",
  tiktok: "tiktok.com",
  threads: "threads.net",
  twitter: "x.com",
  x: "x.com",
  youtube: "youtube.com",
  yt: "youtube.com",
  linkedin: "linkedin.com",
  pinterest: "pinterest.com",
  snapchat: "snapchat.com",
  whatsapp: "whatsapp.com",
  telegram: "telegram.org",
  reddit: "reddit.com",
  google: "google.com",
};

/** Hosts through which platforms send people on, and names that their apps give themselves. */
const waysOut: Readonly<Record<string, string>> = {
  "l.instagram.com": instagram,
  "com.instagram.android": instagram,
  "l.facebook.com": "facebook.com",
  "lm.facebook.com": "facebook.com",
  "m.facebook.com": "facebook.com",
  "com.facebook.katana": "facebook.com",
  "l.threads.net": "threads.net",
  "l.threads.com": "threads.net",
  "threads.com": "threads.net",
  "l.messenger.com": "messenger.com",
  "t.co": "x.com",
  "twitter.com": "x.com",
  "lnkd.in": "linkedin.com",
  "com.linkedin.android": "linkedin.com",
  "m.youtube.com": "youtube.com",
  "com.google.android.youtube": "youtube.com",
  "out.reddit.com": "reddit.com",
  "com.google.android.googlequicksearchbox": "google.com",
};

/** The platform behind a host that only leads out of it; any other host is its own. */
export const siteBehind = (host: string): string => (Object.hasOwn(waysOut, host) && waysOut[host]) || host;

/** Browsers inside of apps, by what they call themselves. Only a tap in that app opens a page there. */
const apps: readonly (readonly [RegExp, string])[] = [
  [/\bInstagram [\d(]/, instagram],
  [/\bBarcelona \d/, "threads.net"],
  [/\bFBAN\/Messenger|\bOrca-Android|\bFB_IAB\/(?:MESSENGER|Orca)/, "messenger.com"],
  [/\bFBAN\/|\bFBAV\/|\bFB_IAB\//, "facebook.com"],
  [/\bmusical_ly|\bBytedanceWebview\/|\btrill_\d/, "tiktok.com"],
  [/\bTwitter for |\bTwitterAndroid/, "x.com"],
  [/\bLinkedInApp\b/, "linkedin.com"],
  [/\bPinterest\/|\[Pinterest/, "pinterest.com"],
  [/\bSnapchat\//, "snapchat.com"],
  [/\bMicroMessenger\//, "wechat.com"],
  [/\bKAKAOTALK\b/, "kakao.com"],
  [/(?:^|[\s/])Line\/\d/, "line.me"],
  [/\bRedditApp\b|\bReddit\/Version/, "reddit.com"],
  [/\bGSA\/\d/, "google.com"],
];

/** Marks that platforms append to links. Meta appends `fbclid` in all of its apps, so anything more exact goes before it. */
const marks: readonly (readonly [string, string])[] = [
  ["igsh", instagram],
  ["igshid", instagram],
  ["ttclid", "tiktok.com"],
  ["twclid", "x.com"],
  ["li_fat_id", "linkedin.com"],
  ["epik", "pinterest.com"],
  ["sccid", "snapchat.com"],
  ["rdt_cid", "reddit.com"],
  ["gclid", "google.com"],
  ["msclkid", "bing.com"],
  ["fbclid", "facebook.com"],
];

/**
 * Where the visitor came from: the site that the browser names, without `www.`. A page's picture is asked for by the page
 * itself, and then the page's own address says it, or the app that the browser is in; null when nothing does.
 */
export function sourceOf(request: BioRequest): string | null {
  const { headers, host } = request;
  const text = headerOf(headers, "referer");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOurs = url?.host === host;
  if (url !== undefined && !isOurs) return siteOf(url) ?? appOf(headers);
  return (isOurs ? toldSource(url.searchParams) : null) ?? appOf(headers) ?? (isOurs ? markOf(url.searchParams) : null);
}

function siteOf({ protocol, hostname }: URL): string | null {
  // Apps on Android name themselves in a scheme of its own.
  if (!["http:", "https:", "android-app:"].includes(protocol)) return null;
  const named = hostname.toLowerCase().replace(/^www\./, "");
  return named === "" || named.length > 253 ? null : siteBehind(named);
}

/** Anybody can write it, so it is kept as short and plain as the name of a site. */
function toldSource(query: URLSearchParams): string | null {
  const told = (query.get("utm_source") ?? "")
    .trim()
    .toLowerCase()
    .replace(/^www\./, "");
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,59}$/u.test(told)) return null;
  return Object.hasOwn(places, told) ? (places[told] ?? null) : told;
}

function appOf(headers: BioRequest["headers"]): string | null {
  const userAgent = headerOf(headers, "user-agent");
  return apps.find(([name]) => name.test(userAgent))?.[1] ?? null;
}

const markOf = (query: URLSearchParams): string | null => marks.find(([name]) => query.has(name))?.[1] ?? null;
