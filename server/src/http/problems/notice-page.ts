import { withTokens } from "@reelscript/contract/values";
import { markup, styleMarkup } from "../../markup/markup.ts";
import { scriptlessPolicy } from "../../markup/scriptless-policy.ts";

/** The whole style of a notice; it loads two fonts of ours. */
const noticeStyle = withTokens(
  [
    '@font-face{font-family:"Instrument Sans";src:url(/docs/sans-latin.woff2) format("woff2");font-weight:400 700;font-display:swap}',
    '@font-face{font-family:"Instrument Sans Condensed";src:url(/docs/title-latin.woff2) format("woff2");font-weight:640;font-display:swap}',
    ":root{--frame:#1d1820}@media(prefers-color-scheme:dark){:root{--frame:#2b262e}}",
    "*{box-sizing:border-box;margin:0}",
    'body{min-height:100svh;display:grid;place-items:center;padding:40px 20px;background:var(--base);color:var(--ink);font:16px/1.55 "Instrument Sans",system-ui,sans-serif;-webkit-font-smoothing:antialiased}',
    "main{width:min(100%,820px);display:grid;gap:40px;justify-items:start}",
    "@media(min-width:720px){main{grid-template-columns:220px 1fr;gap:64px;align-items:center}}",
    // A reel that nobody has filmed yet: the frame of the mark, with captions that leave it.
    ".reel{width:150px;aspect-ratio:9/16;border-radius:22px;background:var(--frame);display:grid;align-content:end;padding:0 0 30px 20px}",
    "@media(min-width:720px){.reel{width:220px;border-radius:32px;padding:0 0 52px 28px}}",
    '.reel span{font:640 22px/1.5 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;width:max-content;max-width:min(64vw,340px);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;background:var(--voice);color:var(--on-voice);border:4px solid var(--base);padding:2px 12px;margin-top:-4px}',
    "@media(min-width:720px){.reel span{font-size:28px;max-width:300px}}",
    'h1{font:640 clamp(34px,6vw,52px)/1.08 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;letter-spacing:-.005em;text-wrap:balance;overflow-wrap:anywhere}',
    "p{margin-top:14px;color:var(--ink-2);max-width:46ch;text-wrap:pretty;overflow-wrap:anywhere}",
    ".ways{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:center;margin-top:28px}",
    "a{color:inherit;text-underline-offset:3px}",
    ".ways a{min-height:44px;display:inline-flex;align-items:center}",
    ".ways .action{padding:0 20px;border-radius:8px;background:var(--ink);color:var(--on-act);font-weight:600;text-decoration:none;overflow-wrap:anywhere}",
    ".request-id{font-size:13px}",
    ":focus-visible{outline:2px solid var(--focus);outline-offset:3px;border-radius:8px}",
  ].join(""),
);

export interface Notice {
  readonly title: string;
  readonly text: string;
  /** Texts of the picture's captions, a word or two each. */
  readonly captions: readonly string[];
  readonly act?: { readonly href: string; readonly label: string } | undefined;
  /** Support needs this id. */
  readonly requestId?: string | undefined;
}

/** Names in small letters. */
export const noticeHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(noticeStyle, { "img-src": "'self'" }),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "referrer-policy": "same-origin",
};

/** A page that says why there is nothing else, and what to do now. It escapes what it says. */
export const noticePage = ({ title, text, captions, act, requestId }: Notice): string =>
  String(
    markup`<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · Reelscript</title><link rel="icon" href="/app/mark.svg" type="image/svg+xml"><style>${styleMarkup(noticeStyle)}</style></head><body><main><div class="reel" aria-hidden="true">${captions.map((caption) => markup`<span dir="auto">${caption}</span>`)}</div><div><h1>${title}</h1><p>${text}</p>${
      requestId !== undefined && markup`<p class="request-id">Request <bdi>${requestId}</bdi></p>`
    }<p class="ways">${
      act && markup`<a class="action" href="${act.href}">${act.label}</a>`
    }<a href="/">Reelscript home</a></p></div></main></body></html>`,
  );
