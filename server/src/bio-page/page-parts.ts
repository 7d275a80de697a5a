import type { BioContent, BioLink } from "@reelscript/contract";
import { imageFile } from "./image-file.ts";
import { markup, type Markup } from "./markup.ts";
import { platforms } from "./socials.ts";

/** Where links lead: over the address that counts them, to the address itself, or nowhere. */
export type Leading = "counted" | "directly" | "nowhere";

const nowhere = markup` role="link" aria-disabled="true"`;

export function linkOf({ id, type, title, url, thumbnailUrl, highlighted }: BioLink, leading: Leading): Markup {
  if (type === "header" || url === null) return markup`<li><h2 dir="auto">${title}</h2></li>`;
  // Mail and telephone programs do not follow a redirect.
  const isWeb = /^https?:/i.test(url);
  const to =
    leading === "nowhere"
      ? nowhere
      : isWeb
        ? markup` href="${leading === "counted" ? `/l/${encodeURIComponent(id)}` : url}" rel="nofollow noopener"`
        : markup` href="${url}"`;
  return markup`<li><a${to}${highlighted && markup` class="highlighted"`}>${
    imageOf(thumbnailUrl, markup` loading="lazy"`) ?? ""
  }<span dir="auto">${title}</span></a></li>`;
}

/** The small form of an image that the service keeps, also for browsers that know no WebP; `undefined` for any other. */
export function imageOf(url: string | null, attributes: Markup | "" = ""): Markup | undefined {
  const [webp, jpeg] = [imageFile(url, "-small.webp"), imageFile(url, "-small.jpg")];
  if (webp === null) return undefined;
  return markup`<picture><source type="image/webp" srcset="${webp}"><img src="${jpeg}" alt=""${attributes}></picture>`;
}

export function socialOf({ platform, url, handle }: BioContent["socials"][number], leading: Leading): Markup {
  const { name, icon } = platforms[platform];
  const to = leading === "nowhere" ? nowhere : markup` href="${url}" rel="me noopener"`;
  return markup`<a${to} aria-label="${handle ? `${name}: ${handle}` : name}">${icon}${handle && markup`<bdi>${handle}</bdi>`}</a>`;
}

/** The first letter of a name in the colors of its page, as a URL. */
export function iconOf(name: string, ground: string, ink: string): string {
  const [letter = ""] = /[\p{L}\p{N}]/u.exec(name) ?? [];
  const text = `<text x="16" y="23" font-size="20" font-weight="700" font-family="sans-serif" text-anchor="middle" fill="${ink}">${letter}</text>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${ground}"/>${text}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing).replaceAll("%20", " ").replaceAll("%3D", "=").replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}
