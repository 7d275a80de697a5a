import { socialPlatforms, type BioContent, type BioLink } from "@reelscript/contract";
import { imageFile } from "./image-file.ts";
import { markup, type Markup } from "../markup/markup.ts";
import type { looks } from "./looks.ts";

/** Links lead through the address that counts clicks, directly to their target, or nowhere. */
export type Leading = "counted" | "directly" | "nowhere";

/** The attributes of a disabled link. */
export const nowhere = markup` role="link" aria-disabled="true"`;

export function linkOf({ id, type, title, url, thumbnailUrl, highlighted }: BioLink, leading: Leading): Markup {
  if (type === "header" || url === null) return markup`<li><h2 dir="auto">${title}</h2></li>`;
  // Mail and phone apps do not follow a redirect.
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

/** The small form of an image that the service stores, also for browsers without WebP; `undefined` for any other. */
export function imageOf(url: string | null, attributes: Markup | "" = ""): Markup | undefined {
  const webp = imageFile(url, "-small.webp");
  const jpeg = imageFile(url, "-small.jpg");
  if (webp === null) return undefined;
  return markup`<picture><source type="image/webp" srcset="${webp}"><img src="${jpeg}" alt=""${attributes}></picture>`;
}

export function socialOf({ platform, url, handle }: BioContent["socials"][number], leading: Leading): Markup {
  const { name, drawing } = socialPlatforms[platform];
  const icon = markup`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${drawing}"/></svg>`;
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

type Colors = (typeof looks)["light"]["portrait"];

/** One of three drawings, chosen by the name, in the look's colors, for pages without a portrait. */
export function portraitOf(name: string, colors: Colors): Markup {
  const sum = Buffer.from(name).reduce((total, byte) => (total * 31 + byte) % 9_973, 7);
  const draw = drawings[sum % drawings.length] ?? stairs;
  return markup`<svg viewBox="0 0 9 15" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><path fill="${colors[0]}" d="M0 0h9v15H0z"/>${draw(colors)}</svg>`;
}

const stairs = ([, light, middle, deep]: Colors): Markup =>
  markup`<circle cx="3" cy="5" r="1.6" fill="${light}"/><path fill="${middle}" d="M9 4.5H7.2v1.8H5.4v1.8H3.6v1.8H1.8v1.8H0V15h9z"/><path fill="${deep}" d="M9 8.1H7.2v1.8H5.4v1.8H3.6V15H9z"/>`;

const beams = ([ground, light, middle, deep]: Colors): Markup =>
  markup`<path fill="${light}" d="M0 0h9v4.2L0 7.8z"/><path fill="${middle}" d="M0 8.6 9 5v2.2L0 10.8z"/><circle cx="3.1" cy="4.7" r="1.05" fill="${ground}"/><path fill="${deep}" d="M0 11.6 9 8v7H0z"/>`;

const hills = ([, light, middle, deep]: Colors): Markup =>
  markup`<circle cx="6.1" cy="4.9" r="1.5" fill="${light}"/><path fill="${middle}" d="M0 9.4C1.6 6.6 3 5.9 4.4 6.9S7.4 9 9 7.2V15H0z"/><path fill="${deep}" d="M0 11.2c2-1.4 3.6-1.2 5 0s2.7.9 4-.3V15H0z"/>`;

const drawings = [stairs, beams, hills];

/** True if a visitor sees the link at `now`: from its start until just before its end. */
export function isShown({ enabled, startsAt, endsAt }: BioLink, now: Date): boolean {
  const moment = now.getTime();
  return (
    enabled && (startsAt === null || Date.parse(startsAt) <= moment) && (endsAt === null || Date.parse(endsAt) > moment)
  );
}

/** The next time that a link appears or disappears by its schedule; `undefined` if none will. */
export function nextChange(links: readonly BioLink[], now: Date): Date | undefined {
  const moments = links
    .filter(({ enabled }) => enabled)
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]))
    .filter((moment) => moment > now.getTime());
  return moments.length === 0 ? undefined : new Date(Math.min(...moments));
}
