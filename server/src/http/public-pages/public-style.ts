const palette = (light: boolean): string =>
  light
    ? "--base:#f3f2f1;--sheet:#fff;--line:#e5e2e3;--line-2:#cfcacd;--ink:#1d1820;--ink-2:#5a545c;--on-act:#fff;--frame:#1d1820;--focus:#2257d6"
    : "--base:#121013;--sheet:#1b181d;--line:#302b33;--line-2:#453f49;--ink:#f2eff3;--ink-2:#b5aeb8;--on-act:#1b181d;--frame:#f2eff3;--focus:#8fb4ff";

const face = (family: string, file: string, weight: string): string =>
  `@font-face{font-family:${family};src:url(/docs/${file}.woff2) format("woff2");font-weight:${weight};font-display:optional}`;

/** The look of the pages that anybody may read before signing in. */
export const publicStyle = [
  face("Sans", "sans-latin", "400 700"),
  face("Title", "title-latin", "640"),
  `:root{color-scheme:light dark;${palette(true)}}`,
  `@media(prefers-color-scheme:dark){:root{${palette(false)}}}`,
  "*{box-sizing:border-box;margin:0}",
  "body{background:var(--base);color:var(--ink);font:1rem/1.56 Sans,system-ui,sans-serif;-webkit-text-size-adjust:100%}",
  "a{color:inherit;text-underline-offset:3px}",
  ":focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}",
  ".wrap{width:min(1128px,100%);margin:auto;padding:0 24px}",
  "header .wrap{display:flex;align-items:center;gap:8px 24px;flex-wrap:wrap;padding-block:20px}",
  "header nav{display:flex;gap:20px;margin-inline-start:auto;font-size:.875rem}",
  "nav a{display:inline-block;padding:6px 0;text-decoration:none}nav a:hover{text-decoration:underline}",
  ".brand{display:flex;align-items:center;gap:8px;font:640 1.4rem/1 Title,sans-serif;text-decoration:none}",
  ".brand svg{width:26px;height:26px}",
  "h1,h2,h3{font-family:Title,sans-serif;font-weight:640;line-height:1.06;text-wrap:balance}",
  ".hero{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.15fr);gap:56px;align-items:center;padding-block:40px 72px}",
  ".hero h1{font-size:clamp(2.6rem,6vw,3.9rem);line-height:1}",
  ".lead{font-size:1.125rem;color:var(--ink-2);margin:18px 0 26px;max-width:44ch}",
  ".action{display:inline-flex;align-items:center;min-height:44px;padding:0 20px;border-radius:8px;background:var(--ink);color:var(--on-act);font-weight:600;text-decoration:none}",
  ".action.quiet{background:none;color:var(--ink);border:1px solid var(--line-2)}",
  ".hint{font-size:.875rem;color:var(--ink-2);margin-top:12px}",
  ".stage{border-radius:28px;background:#1d1820;color:#fff;padding:56px clamp(20px,5vw,56px);display:grid;gap:.7em;font:640 clamp(1.5rem,2.9vw,2.5rem)/1.36 Title,sans-serif;border:1px solid var(--line)}",
  ".stage p:nth-child(even){text-align:right}",
  ".stage span{background:#fff;color:#1d1820;padding:.04em .32em .1em;border-radius:4px;-webkit-box-decoration-break:clone;box-decoration-break:clone}",
  ".stage .said{background:#ffd84a}",
  ".band{background:var(--sheet);border-block:1px solid var(--line);padding:72px 0}",
  ".three{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:28px;list-style:none;padding-block:0}section>.three:not(.wrap){padding:0}",
  ".three :is(h2,h3){font-size:1.375rem;margin-bottom:8px}.three p{color:var(--ink-2)}",
  "h2{font-size:2.125rem;margin-bottom:28px}",
  ".plan{background:var(--sheet);border:1px solid var(--line);border-radius:18px;padding:28px;display:grid;gap:10px;align-content:start}",
  ".plan .price{font:640 2.5rem/1 Title,sans-serif;color:var(--ink)}.plan .price small{font:400 .875rem Sans,sans-serif;color:var(--ink-2)}",
  ".plan ul{padding-inline-start:18px;color:var(--ink-2)}",
  ".prices{padding-block:72px}",
  ".legal{max-width:70ch;padding-block:28px 72px}.legal h1{font-size:2.125rem;margin-bottom:8px}.legal h2{font-size:1.25rem;margin:28px 0 8px}.legal ul{padding-inline-start:20px}.legal li{margin-block:4px}.legal .hint{margin:0 0 20px}",
  ".shared{padding-block:20px 72px;display:grid;gap:18px}.shared h1{font-size:2.125rem;max-width:28ch;overflow-wrap:anywhere}.shared .hint{margin:0}.shared [lang]{text-align:start}",
  ".lines{list-style:none;padding:0;display:grid;gap:14px;max-width:68ch}.lines li{display:grid;grid-template-columns:52px minmax(0,1fr);gap:12px;font-size:1.125rem}.lines p,.said{overflow-wrap:anywhere}.lines time{font:640 .9375rem/1.75rem Title,sans-serif;color:var(--ink-2)}.lines .missing{font-size:.875rem;line-height:1.75rem;color:var(--ink-2)}.said{max-width:62ch;font-size:1.125rem;white-space:pre-line}",
  ".legal address{font-style:normal;white-space:pre-line;margin-top:4px}",
  "footer{border-top:1px solid var(--line);font-size:.875rem;color:var(--ink-2)}footer .wrap{display:flex;gap:8px 20px;flex-wrap:wrap;padding-block:24px 40px}footer span{margin-inline-end:auto}",
  "@media(max-width:820px){.hero,.three{grid-template-columns:minmax(0,1fr)}.hero{gap:36px;padding-block:16px 48px}.band,.prices{padding-block:48px}.stage{padding:36px 20px}}",
].join("");
