const colors = (light: boolean): string =>
  light
    ? "--wash:#f7f6f6;--wash-2:#eeecec;--ink-3:#6e6770;--code:#1d1820"
    : "--wash:#211d24;--wash-2:#2b262e;--ink-3:#958e98;--code:#0d0b0e";

const mono = "Mono,ui-monospace,Menlo,monospace";

/** What the reference needs beside the look of the public pages. */
export const referenceStyle = [
  '@font-face{font-family:Mono;src:url(/docs/mono-latin.woff2) format("woff2");font-weight:400 600;font-display:swap}',
  `:root{${colors(true)};scroll-padding-top:24px}`,
  `@media(prefers-color-scheme:dark){:root{${colors(false)}}}`,
  "body{font-size:.9375rem}.wrap{width:min(1400px,100%)}",
  ".reference{display:grid;grid-template-columns:216px minmax(0,1fr);gap:56px;padding-block:12px 72px;align-items:start}",
  ".contents{position:sticky;top:0;max-height:100vh;overflow-y:auto;padding-block:20px;font-size:.875rem}",
  ".contents ul{list-style:none;padding:0}.contents>ul>li{margin-bottom:14px}.contents>ul>li>a{font-weight:600}",
  ".within{display:none;list-style:none;padding:0;margin:0 0 20px}.within a{display:block;padding:10px 0}",
  ".contents a{display:block;padding:3px 0;text-decoration:none;color:var(--ink-2)}.contents a:hover{color:var(--ink);text-decoration:underline}",
  ".text>section{padding-top:20px}.text>section+section{margin-top:28px}",
  "h1{font-size:2.125rem;margin-bottom:16px}h2{font-size:1.875rem;margin-bottom:8px}.lead{font-size:1.0625rem;margin:0 0 16px;max-width:60ch}",
  "article,.part{border-top:1px solid var(--line);padding:28px 0 36px}.part{padding:20px 0 16px}",
  "h3{font-size:1.375rem;margin-bottom:10px}h3 a{text-decoration:none}h3 a:hover{text-decoration:underline}h4{font-size:1rem;font-weight:600;margin-bottom:8px}",
  ".two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,.85fr);gap:48px;align-items:start}",
  ".part>p,#other{margin-bottom:14px;max-width:62ch}",
  ".stack{display:grid;gap:20px}.stack p{max-width:62ch;overflow-wrap:anywhere}.stack>p+p{margin-top:-8px}",
  ".ex{position:sticky;top:20px;display:grid;gap:14px}figure{margin:0 0 20px;display:grid;gap:6px}.ex figure{margin:0}",
  `code{font-family:${mono};font-size:.92em}`,
  ".call{margin-bottom:18px;overflow-wrap:anywhere}",
  `.verb{font:600 .75rem/1 ${mono};padding:5px 8px;border-radius:4px;background:var(--ink);color:var(--sheet)}`,
  ".props,.props dd{margin:0}.props>div{padding:12px 0;border-top:1px solid var(--line)}.props dt{display:flex;gap:4px 10px;align-items:baseline;flex-wrap:wrap}.props dt code{font-weight:600;overflow-wrap:anywhere}.props dd{color:var(--ink-2)}.props dd>*{margin-top:4px}",
  ".props .props{border-inline-start:2px solid var(--line-2);padding-inline-start:14px;margin-top:10px}.props .props>div:first-child{border:0;padding-top:0}",
  ".meta{color:var(--ink-3);font-size:.8125rem}.meta code{overflow-wrap:anywhere}",
  ".chip{padding:2px 8px;border-radius:99px;background:var(--wash-2);color:var(--ink-2);font-size:.75rem;font-weight:500;white-space:nowrap}",
  ".er{width:100%;border-collapse:collapse}.er th{font-size:.75rem;font-weight:500;color:var(--ink-3);text-align:start;padding:0 12px 6px 0}.er td{border-top:1px solid var(--line);padding:10px 12px 10px 0;vertical-align:top;overflow-wrap:anywhere}.er td:first-child{white-space:nowrap;font-weight:600}",
  `pre{font:400 .8125rem/1.7 ${mono};background:var(--code);color:#ece7ee;padding:16px 18px;border-radius:12px;overflow:auto;max-height:70vh;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:2;margin:0}pre code{font-size:1em}pre b{color:#ffd84a;font-weight:400}`,
  "fieldset{border:0;padding:0;display:flex;gap:8px 16px;flex-wrap:wrap;font-size:.875rem}legend{float:left;padding:0;line-height:28px;margin-inline-end:16px;color:var(--ink-2)}label{display:inline-flex;gap:6px;align-items:center;min-height:28px}input{accent-color:var(--ink)}",
  "@supports selector(:has(a)){.sample{display:none}body:has(#in-curl:checked) .curl,body:has(#in-typescript:checked) .typescript,body:has(#in-python:checked) .python{display:block}}@supports not selector(:has(a)){fieldset{display:none}}",
  ":target{scroll-margin-top:16px}tr:target,div:target{background:var(--wash-2)}",
  "@media(max-width:1100px){.two{grid-template-columns:minmax(0,1fr);gap:24px}.ex{position:static}}",
  "@media(max-width:820px){.reference{display:block}.contents{position:static;max-height:none;padding:0 0 12px}.contents ul ul{display:none}.contents>ul{display:flex;flex-wrap:wrap;gap:0 20px}.contents>ul>li{margin:0}.within{display:block}.contents a{padding:12px 0}.er td:first-child{white-space:normal}label{min-height:44px}legend{line-height:44px}}",
].join("");
