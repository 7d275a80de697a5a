import { brandMark, markup, styleMarkup, type Markup } from "./markup.ts";
import { scriptlessPolicy } from "./scriptless-policy.ts";
import { withTokens } from "@reelscript/contract/values";

/** The whole style of single-sheet pages, where people sign in or pay; they load nothing except two fonts. */
const style = withTokens(`
@font-face{font-family:"Instrument Sans";src:url(/docs/sans-latin.woff2) format("woff2");font-weight:400 700;font-display:swap}
@font-face{font-family:"Instrument Sans Condensed";src:url(/docs/title-latin.woff2) format("woff2");font-weight:640;font-display:swap}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100svh;display:grid;place-items:center;padding:16px;background:var(--base);color:var(--ink);font:400 .875rem/1.5 "Instrument Sans",system-ui,sans-serif;-webkit-font-smoothing:antialiased}
main{width:min(100%,440px);background:var(--sheet);border:1px solid var(--line);border-radius:18px;box-shadow:var(--lift-panel);padding:40px}
.brand{display:inline-flex;align-items:center;gap:8px;margin-bottom:28px;color:inherit;text-decoration:none;font:640 1.125rem/1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif}
.brand svg{display:block}
h1{margin:0;font:640 2.125rem/1.1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;letter-spacing:-.005em;text-wrap:balance}
p{margin:8px 0 0;color:var(--ink-2);text-wrap:pretty}
form{margin:28px 0 0}
label{display:block;margin-bottom:4px;font-weight:500}
input{width:100%;height:44px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;background:var(--sheet);color:inherit;font:inherit;font-size:1rem}
input[aria-invalid=true]{border-color:var(--bad)}
fieldset{margin:0;padding:0;border:0}legend{padding:0;font-weight:500}
.choice{display:flex;gap:8px;margin:8px 0 0;font-weight:400}
.choice input{flex:none;width:16px;height:16px;margin:3px 0 0;accent-color:var(--ink)}
.error{color:var(--bad)}
.hint{color:var(--ink-3);font-size:.8125rem}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;margin-top:20px;padding:0 20px;border:0;border-radius:8px;background:var(--ink);color:var(--sheet);font:600 .875rem/1 "Instrument Sans",system-ui,sans-serif;text-decoration:none;cursor:pointer;transition:background 120ms cubic-bezier(.2,.7,.2,1)}
.quiet{margin-top:8px;background:transparent;color:var(--ink);box-shadow:inset 0 0 0 1px var(--edge)}.quiet:hover{background:var(--base)}
.button:not(.quiet):hover{background:var(--act-hover)}.button:active{transform:translateY(1px)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
@media (max-width:480px){main{padding:28px 20px}h1{font-size:1.75rem}}
@media (prefers-reduced-motion:reduce){.button{transition:none}.button:active{transform:none}}
`);

/**
 * Headers of every such page: one style and two of our fonts, no script, no frame. `formTargets` are the sites that its form
 * may lead to.
 */
export const pageHeadersWith = (formTargets: readonly string[]): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(style, {
    "form-action": ["'self'", ...formTargets].join(" "),
    "img-src": "'self'",
  }),
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
});

export const pageHeaders = pageHeadersWith([]);

export const page = (title: string, body: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Reelscript</title>
<link rel="icon" href="/app/mark.svg" type="image/svg+xml">
<style>${styleMarkup(style)}</style>
</head>
<body>
<main>
<a class="brand" href="/app">${brandMark("var(--sheet)")}Reelscript</a>
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
