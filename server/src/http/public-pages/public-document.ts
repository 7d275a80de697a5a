import { markup, styleMarkup, type Markup } from "../../markup.ts";
import { scriptlessPolicy } from "../../scriptless-policy.ts";
import { publicStyle } from "./public-style.ts";

/** Names in small letters. No script, no frame, nothing from anywhere else. */
export const publicPageHeadersOf = (style: string): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(`${publicStyle}${style}`, { "img-src": "data:" }),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
});

export const publicPageHeaders = publicPageHeadersOf("");

const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect x="3" y="1" width="14" height="24" rx="3.5" fill="#1d1820"/><path d="M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z" fill="#ffd84a"/></svg>`)}`;

interface Page {
  readonly title: string;
  readonly description: string;
  readonly body: Markup;
  /** Beside the style of all public pages; it holds no `<`. */
  readonly style?: string;
}

/** A page with our mark above it and where else to go below. */
export const publicDocument = ({ title, description, body, style = "" }: Page): string =>
  String(
    markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><meta name="description" content="${description}"><link rel="preload" href="/docs/title-latin.woff2" as="font" type="font/woff2" crossorigin><link rel="preload" href="/docs/sans-latin.woff2" as="font" type="font/woff2" crossorigin><link rel="icon" href="${icon}"><style>${styleMarkup(`${publicStyle}${style}`)}</style></head><body><header><div class="wrap"><a class="brand" href="/"><svg viewBox="0 0 26 26" aria-hidden="true"><rect x="3" y="1" width="14" height="24" rx="3.5" fill="var(--frame)"/><path d="M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z" fill="#ffd84a" stroke="var(--base)" stroke-width="3" paint-order="stroke"/></svg>Reelscript</a><nav aria-label="Main"><a href="/#pricing">Pricing</a><a href="/docs">API</a><a href="/app">Sign in</a></nav></div></header><main>${body}</main><footer><div class="wrap"><span>Reelscript</span><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/docs">API docs</a><a href="/llms.txt">For agents</a></div></footer></body></html>`,
  );
