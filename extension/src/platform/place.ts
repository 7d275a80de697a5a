/** What a page of the platform shows, as far as Reelscript has something to offer there. */
export type Place =
  | { readonly kind: "profile"; readonly handle: string }
  | { readonly kind: "reel"; readonly code: string }
  | { readonly kind: "other" };

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
/** Parts of a profile in which its reels are shown. */
const profileParts: ReadonlySet<string> = new Set(["", "reels"]);
const handlePattern = /^[A-Za-z0-9._]{1,30}$/;
export const codePattern: RegExp = /^[A-Za-z0-9_-]{5,64}$/;

export function placeOf(url: URL): Place {
  const [first = "", second = "", third = ""] = url.pathname.split("/").filter((part) => part !== "");
  if (reelKinds.has(first)) return second === "audio" ? other : reelAt(second);
  if (!handlePattern.test(first) || notHandles.has(first.toLowerCase())) return other;
  if (reelKinds.has(second) && third !== "") return reelAt(third);
  return profileParts.has(second) ? { kind: "profile", handle: first.toLowerCase() } : other;
}

/** The code in a link to a reel. */
export function codeIn(address: string): string | undefined {
  if (!URL.canParse(address, "https://www.instagram.com")) return undefined;
  const place = placeOf(new URL(address, "https://www.instagram.com"));
  return place.kind === "reel" ? place.code : undefined;
}

export const reelAddress = (code: string): string => `https://www.instagram.com/reel/${code}/`;

const other: Place = { kind: "other" };

const reelAt = (code: string): Place => (codePattern.test(code) ? { kind: "reel", code } : other);
