import { createHash } from "node:crypto";
import { markup, scriptMarkup, styleMarkup, type Markup } from "../markup/markup.ts";

export interface RenderedPage {
  readonly html: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Page {
  readonly title: string;
  readonly description: string;
  /** Empty when the script does not identify the language, as with Latin and Cyrillic. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly style: string;
  /** Our own code, the same for every page; it holds no `<`. */
  readonly script?: string | undefined;
  readonly isIndexed: boolean;
  /** A URL with `data:`. */
  readonly icon: string;
  /** Additional markup in the head, for search engines and previews. */
  readonly about: Markup | "";
  readonly body: Markup;
  /** The page loads pictures from the service, including the one that counts views. */
  readonly images: boolean;
  /** Only our own pages may frame it. */
  readonly framed: boolean;
}

/** One document that loads nothing except pictures, with the policy that enforces this. */
export const documentOf = (page: Page): RenderedPage => ({ html: String(markupOf(page)), headers: headersOf(page) });

const markupOf = ({ title, description, lang, dir, style, script, isIndexed, icon, about, body }: Page): Markup =>
  markup`<!doctype html><html lang="${lang || "en"}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>${
    description && markup`<meta name="description" content="${description}">`
  }${!isIndexed && markup`<meta name="robots" content="noindex">`}<link rel="icon" href="${icon}">${about}<style>${styleMarkup(style)}</style></head><body>${body}${script !== undefined && markup`<script>${scriptMarkup(script)}</script>`}</body></html>`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function headersOf({ style, script, images, framed, isIndexed }: Page): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `img-src data:${images ? " 'self'" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-frame-options": framed ? "SAMEORIGIN" : "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": framed ? "no-referrer" : "strict-origin-when-cross-origin",
    ...(!isIndexed && { "x-robots-tag": "noindex" }),
  };
}
