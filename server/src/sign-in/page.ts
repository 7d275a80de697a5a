import { markup, styleMarkup, type Markup } from "../markup.ts";
import { scriptlessPolicy } from "../scriptless-policy.ts";
import { style } from "./page-style.ts";

/** Of every page that is shown while signing in: one own style and two own fonts, no script, in no frame. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(style, { "form-action": "'self'" }),
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export const page = (title: string, body: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Reelscript</title>
<style>${styleMarkup(style)}</style>
</head>
<body>
<main>
<a class="brand" href="/app"><svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><rect class="frame" x="3" y="1" width="14" height="24" rx="3.5"/><path class="lines" d="M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z"/></svg>Reelscript</a>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString();

/** A page that says what happened and what to do now. */
export const messagePage = (
  title: string,
  text: string,
  button: { readonly href: string; readonly label: string },
): string => page(title, markup`<p>${text}</p>\n<a class="button" href="${button.href}">${button.label}</a>`);
