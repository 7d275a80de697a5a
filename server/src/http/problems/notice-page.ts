import { markup, styleMarkup } from "../../markup.ts";
import { scriptlessPolicy } from "../../scriptless-policy.ts";
import { noticeStyle } from "./notice-style.ts";

export interface Notice {
  readonly title: string;
  readonly text: string;
  /** On the captions of the picture, a word or two each. */
  readonly captions: readonly string[];
  readonly act?: { readonly href: string; readonly label: string } | undefined;
  /** What support asks for. */
  readonly requestId?: string | undefined;
}

/** Names in small letters. */
export const noticeHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(noticeStyle, { "img-src": "data:" }),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "referrer-policy": "same-origin",
};

/** A page that says why there is nothing else, and what to do now. It escapes what it says. */
export const noticePage = ({ title, text, captions, act, requestId }: Notice): string =>
  String(
    markup`<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · Reelscript</title><link rel="icon" href="data:,"><style>${styleMarkup(noticeStyle)}</style></head><body><main><div class="reel" aria-hidden="true">${captions.map((caption) => markup`<span dir="auto">${caption}</span>`)}</div><div><h1>${title}</h1><p>${text}</p>${
      requestId !== undefined && markup`<p class="request-id">Request <bdi>${requestId}</bdi></p>`
    }<p class="ways">${
      act && markup`<a class="action" href="${act.href}">${act.label}</a>`
    }<a href="/">Reelscript home</a></p></div></main></body></html>`,
  );
