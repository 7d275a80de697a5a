import { markup, styleMarkup, type Markup } from "../../../markup.ts";
import { scriptlessPolicy } from "../../../scriptless-policy.ts";

const pageStyle = `
@font-face{font-family:"Instrument Sans";src:url(/docs/sans-latin.woff2) format("woff2");font-weight:400 700;font-display:swap}
@font-face{font-family:"Instrument Sans Condensed";src:url(/docs/title-latin.woff2) format("woff2");font-weight:640;font-display:swap}
:root{color-scheme:light dark;--base:#f3f2f1;--sheet:#fff;--raise:#fff;--wash:#f7f6f6;--wash-2:#eeecec;--line:#e5e2e3;--line-2:#cfcacd;--ink:#1d1820;--ink-2:#5a545c;--ink-3:#6e6770;--act:#1d1820;--act-hover:#3a323e;--on-act:#fff;--focus:#2257d6;--ok:#1a6b47;--ok-soft:#e3f3ea;--bad:#b3261e;--bad-soft:#fdeae7;--warn:#8a4b00;--warn-soft:#fdf0dc;--sans:"Instrument Sans","Noto Sans",system-ui,sans-serif;--title:"Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif}
@media(prefers-color-scheme:dark){:root{--base:#121013;--sheet:#1b181d;--raise:#242027;--wash:#211d24;--wash-2:#2b262e;--line:#302b33;--line-2:#453f49;--ink:#f2eff3;--ink-2:#b5aeb8;--ink-3:#958e98;--act:#f2eff3;--act-hover:#fff;--on-act:#1b181d;--focus:#8fb4ff;--ok:#6fd3a0;--ok-soft:#173126;--bad:#ff9186;--bad-soft:#3d1b19;--warn:#f5b65c;--warn-soft:#3a2810}}
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--ink);font:400 .875rem/1.5 var(--sans);font-variant-numeric:tabular-nums}
main{width:min(560px,100%);margin-inline:auto;padding:40px 16px 72px;display:grid;gap:20px}
.brand{display:flex;align-items:center;gap:9px;font:640 1.3rem/1 var(--title)}
.brand .frame{fill:var(--ink)}.brand .lines{fill:#ffd84a;stroke:var(--base);stroke-width:3;paint-order:stroke}
.brand .chip{margin-inline-start:auto}
.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:18px;padding:28px;display:grid;gap:20px}
h1{font:640 1.75rem/1.1 var(--title);margin:0;text-wrap:balance}
h2{font:640 1.125rem/1.25 var(--title);margin:0}
p,dl,dd{margin:0}
.price{font:640 2.5rem/1 var(--title)}.price small{font:400 .875rem/1 var(--sans);color:var(--ink-2)}
.subtitle{color:var(--ink-2);text-wrap:pretty}.hint{color:var(--ink-3);font-size:.8125rem;text-wrap:pretty}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:8px 20px}dt{color:var(--ink-2)}dd{text-align:end;overflow-wrap:anywhere}
form{margin:0}.actions{display:flex;flex-wrap:wrap;gap:8px}
button,.button-link{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:0 18px;border:1px solid transparent;border-radius:8px;background:var(--act);color:var(--on-act);font:600 .875rem/1 var(--sans);text-decoration:none;cursor:pointer}
button:hover,.button-link:hover{background:var(--act-hover)}button:active{transform:translateY(1px)}
.quiet{background:var(--raise);color:var(--ink);border-color:var(--line-2)}.quiet:hover{background:var(--wash-2)}
.danger{background:none;color:var(--bad);border-color:var(--line-2)}.danger:hover{background:var(--bad-soft)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.chip{display:inline-block;padding:2px 8px;border-radius:99px;background:var(--wash-2);color:var(--ink-2);font:500 .75rem/1.5 var(--sans);white-space:nowrap}
.chip.ok{background:var(--ok-soft);color:var(--ok)}.chip.bad{background:var(--bad-soft);color:var(--bad)}.chip.warn{background:var(--warn-soft);color:var(--warn)}
.note{padding:12px 14px;border-radius:8px;background:var(--bad-soft);color:var(--ink)}
.head{display:flex;align-items:center;gap:12px;flex-wrap:wrap}.head .chip{margin-inline-start:auto}
table{width:100%;border-collapse:collapse}th{text-align:start;font-weight:500;font-size:.8125rem;color:var(--ink-3);padding:8px 0}td{padding:10px 0;border-top:1px solid var(--line)}th:last-child,td:last-child{text-align:end}
a{color:inherit;text-underline-offset:.2em}
@media(max-width:480px){.sheet{padding:20px}.actions form,.actions button{width:100%}}
`;

const mark = markup`<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
  <rect class="frame" x="3" y="1" width="14" height="24" rx="3.5" />
  <path class="lines" d="M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z" />
</svg>`;

/** Of every page: one own style and two own fonts, no script, in no frame. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(pageStyle, { "form-action": "'self'" }),
  "referrer-policy": "same-origin",
};

/** A page of the development biller around its content. */
export const pageOf = (title: string, content: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${styleMarkup(pageStyle)}</style>
</head>
<body>
<main>
<div class="brand">${mark}Reelscript<span class="chip">Development biller</span></div>
${content}
<p class="hint">Test checkout. No money moves.</p>
</main>
</body>
</html>
`.toString();
