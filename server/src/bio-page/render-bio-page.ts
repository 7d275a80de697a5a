import { createHash } from "node:crypto";
import type { BioContent, BioLink } from "@reelscript/contract";
import { languageOf } from "./language-of.ts";
import { looks } from "./looks.ts";
import { jsonMarkup, markup, styleMarkup, type Markup } from "./markup.ts";
import { paletteOf } from "./palette-of.ts";
import { portraitOf } from "./portrait.ts";
import { platforms } from "./socials.ts";
import { styleOf } from "./style-of.ts";

export interface BioPageInput {
  readonly content: BioContent;
  readonly handle: string | null;
  /** The service's address, without a slash at the end. */
  readonly baseUrl: string;
  /** Decides which links are shown. */
  readonly now: Date;
}

export interface RenderedPage {
  readonly html: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Words of ours on a page of that language. */
const madeWith: Readonly<Record<string, string>> = {
  hi: "बनाया गया:",
  ta: "உருவாக்கியது:",
  te: "తయారీ:",
  ar: "صُنعت بـ",
};

/** The public page: one document without scripts, whose links lead over `/l/<link id>`, where clicks are counted. */
export const renderBioPage = (input: BioPageInput): RenderedPage => render(input, "public");

/** The same page for its owner's eyes, within a frame of our own: its links lead nowhere, and gaps say what would stand there. */
export const renderPreview = (input: BioPageInput): RenderedPage => render(input, "preview");

function render({ content, handle, baseUrl, now }: BioPageInput, mode: "public" | "preview"): RenderedPage {
  const { displayName, bio, avatarUrl, socials, seo, theme } = content;
  const inert = mode === "preview";
  const links = content.links.filter((link) => isShown(link, now));
  const { lang, dir } = languageOf([displayName, bio].join(" ").trim() || links.map(({ title }) => title).join(" "));
  const name = displayName || (handle === null ? (inert ? "Your name" : "Reelscript") : `@${handle}`);
  const title = seo.title || (handle === null || !displayName ? name : `${name} (@${handle})`);
  const description = seo.description || bio || "";

  const palette = paletteOf(theme);
  const style = styleOf(content, palette, { thumbnails: links.some(({ thumbnailUrl }) => thumbnailUrl !== null) });
  const images = [avatarUrl, palette.image, ...links.map(({ thumbnailUrl }) => thumbnailUrl)];
  const head = { title, description, lang, dir, style, robots: inert || seo.noindex };
  const about = inert || handle === null ? "" : metaOf({ ...content, handle, name, title, description, baseUrl });
  const line = bio || (inert ? "A few words about you." : "");

  const portrait = avatarUrl
    ? markup`<img src="${avatarUrl}" alt="">`
    : portraitOf(handle ?? name, looks[theme.preset].portrait);
  const body = markup`<main${lang === "" ? markup` lang=""` : ""}><div class="ph">${portrait}</div><h1><span dir="auto">${name}</span></h1>${line && markup`<p class="ab" dir="auto">${line}</p>`}${
    socials.length > 0 && markup`<div class="so">${socials.map((social) => socialOf(social, inert))}</div>`
  }${
    links.length > 0
      ? markup`<ul>${links.map((link) => linkOf(link, inert))}</ul>`
      : inert && markup`<ul><li><a role="link" aria-disabled="true"><span>Your links appear here</span></a></li></ul>`
  }</main><footer${madeWith[lang] === undefined ? markup` lang="en" dir="ltr"` : ""}><p class="by">${madeWith[lang] ?? "Made with"} <a${
    inert ? markup` role="link" aria-disabled="true"` : markup` href="/"`
  }>Reelscript</a></p></footer>`;
  return {
    html: String(documentOf(head, about, body)),
    headers: headersOf({ style, images: images.some((image) => image !== null), framed: inert, robots: head.robots }),
  };
}

/** The page that stands in the frame of the preview when there is nothing to show. */
export function renderProblem(message: string): RenderedPage {
  const style =
    "body{margin:0;min-height:100vh;display:grid;place-content:center;padding:28px;background:#f3f2f1;color:#1d1820;font:16px/1.5 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}";
  const head = { title: "No preview", description: "", lang: "en", dir: "ltr", style, robots: true } as const;
  return {
    html: String(documentOf(head, "", markup`<main><h1>No preview</h1><p>${message}</p></main>`)),
    headers: headersOf({ style, images: false, framed: true, robots: true }),
  };
}

interface Head {
  readonly title: string;
  readonly description: string;
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly style: string;
  readonly robots: boolean;
}

const documentOf = ({ title, description, lang, dir, style, robots }: Head, about: Markup | "", body: Markup): Markup =>
  markup`<!doctype html><html lang="${lang || "en"}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>${
    description && markup`<meta name="description" content="${oneLine(description)}">`
  }${robots && markup`<meta name="robots" content="noindex">`}<link rel="icon" href="data:,">${about}<style>${styleMarkup(style)}</style></head><body>${body}</body></html>`;

function headersOf(page: {
  readonly style: string;
  readonly images: boolean;
  readonly framed: boolean;
  readonly robots: boolean;
}): Record<string, string> {
  const hash = createHash("sha256").update(page.style).digest("base64");
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src data:${page.images ? " 'self' https:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${page.framed ? "'self'" : "'none'"}`,
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-frame-options": page.framed ? "SAMEORIGIN" : "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": page.framed ? "no-referrer" : "strict-origin-when-cross-origin",
    ...(page.robots && { "x-robots-tag": "noindex" }),
  };
}

function metaOf(page: BioContent & Readonly<Record<"handle" | "name" | "title" | "description" | "baseUrl", string>>) {
  const url = `${page.baseUrl}/@${page.handle}`;
  const description = oneLine(page.description);
  const image = page.seo.imageUrl ?? page.avatarUrl;
  const sameAs = page.socials.map((social) => social.url).filter((address) => /^https?:/i.test(address));
  const person = {
    "@type": "Person",
    name: page.name,
    alternateName: page.handle,
    ...(description !== "" && { description }),
    ...(page.avatarUrl !== null && { image: page.avatarUrl }),
    url,
    ...(sameAs.length > 0 && { sameAs }),
  };
  const linked = { "@context": "https://schema.org", "@type": "ProfilePage", mainEntity: person };
  return markup`<link rel="canonical" href="${url}"><meta property="og:type" content="profile"><meta property="og:title" content="${page.title}">${
    description && markup`<meta property="og:description" content="${description}">`
  }<meta property="og:url" content="${url}">${
    image &&
    markup`<meta property="og:image" content="${image}"><meta name="twitter:card" content="summary_large_image">`
  }<script type="application/ld+json">${jsonMarkup(linked)}</script>`;
}

function linkOf({ id, type, title, url, thumbnailUrl, highlighted }: BioLink, inert: boolean): Markup {
  if (type === "header" || url === null) return markup`<li><h2 dir="auto">${title}</h2></li>`;
  // Mail and telephone programs do not follow a redirect.
  const counted = /^https?:/i.test(url);
  const to = counted ? markup` href="/l/${encodeURIComponent(id)}" rel="nofollow noopener"` : markup` href="${url}"`;
  return markup`<li><a${inert ? markup` role="link" aria-disabled="true"` : to}${highlighted && markup` class="hi"`}>${
    thumbnailUrl && markup`<img src="${thumbnailUrl}" alt="" loading="lazy">`
  }<span dir="auto">${title}</span></a></li>`;
}

function socialOf({ platform, url, handle }: BioContent["socials"][number], inert: boolean): Markup {
  const { name, icon } = platforms[platform];
  const to = inert ? markup` role="link" aria-disabled="true"` : markup` href="${url}" rel="me noopener"`;
  return markup`<a${to} aria-label="${handle ? `${name}: ${handle}` : name}">${handle ? markup`<span>${icon}</span><bdi>${handle}</bdi>` : icon}</a>`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function isShown({ enabled, startsAt, endsAt }: BioLink, now: Date): boolean {
  const moment = now.getTime();
  return (
    enabled && (startsAt === null || Date.parse(startsAt) <= moment) && (endsAt === null || Date.parse(endsAt) > moment)
  );
}
