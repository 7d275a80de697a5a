import { instagramLinks, readAddress } from "@reelscript/contract/values";

/** The kind of page that the platform shows; Reelscript has nothing to offer on `other` pages. */
export type PageLocation =
  | { readonly kind: "profile"; readonly handle: string }
  | { readonly kind: "reel"; readonly code: string }
  | { readonly kind: "other" };

export function pageLocationOf(url: URL): PageLocation {
  const link = instagramLinks.read(url);
  return link.kind === "profile" || link.kind === "reel" ? link : { kind: "other" };
}

/** The code in a link to a reel on a page of the platform; the link may be only a path. */
export function codeIn(address: string): string | undefined {
  if (!URL.canParse(address, instagramLinks.origin)) return undefined;
  const read = readAddress(new URL(address, instagramLinks.origin).href);
  return read?.grammar === instagramLinks && read.link.kind === "reel" ? read.link.code : undefined;
}

export const reelAddress = (code: string): string => `${instagramLinks.origin}${instagramLinks.pathOf(code)}`;
