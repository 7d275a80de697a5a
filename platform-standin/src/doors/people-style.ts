const mark =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 26 26'><rect x='3' y='1' width='14' height='24' rx='3.5' fill='#1d1820'/><path d='M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z' fill='#ffd84a' stroke='#fff' stroke-width='3' paint-order='stroke'/></svg>";

const light =
  "color-scheme:light;--base:#f3f2f1;--sheet:#fff;--wash:#eeecec;--line:#e5e2e3;--edge:#8d868f;--ink:#1d1820;--ink-2:#5a545c;--ink-3:#6e6770;--on-ink:#fff;--focus:#2257d6";
const dark =
  "color-scheme:dark;--base:#121013;--sheet:#1b181d;--wash:#2b262e;--line:#302b33;--edge:#756e79;--ink:#f2eff3;--ink-2:#b5aeb8;--ink-3:#958e98;--on-ink:#1b181d;--focus:#8fb4ff";

const rules = `
:root{${light}}@media(prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--base);color:var(--ink);font:14px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1208px;margin:0 auto;padding:40px}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}ul{list-style:none}
h1{font-size:34px;line-height:1.1;text-wrap:balance}h1+.meta{margin-top:6px}main>p+p{margin-top:12px}h2{font-size:18px;line-height:1.25;margin:40px 0 12px}h3{font-size:14px;margin:20px 0 8px}
a{color:inherit;text-underline-offset:.2em}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
.lead{font-size:16px;line-height:25px;color:var(--ink-2);max-width:60ch;margin-top:12px}.meta{font-size:13px;color:var(--ink-3)}
nav ul{display:flex;flex-wrap:wrap;gap:8px;margin-top:20px}nav a{display:flex;align-items:center;min-height:36px;padding:0 14px;border:1px solid var(--line);border-radius:99px;background:var(--sheet);text-decoration:none}nav a:hover{background:var(--wash)}nav .meta{margin-inline-start:6px}
.reels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));gap:12px}
.reels li,.cases li{background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:12px}
.reel{display:grid;grid-template-columns:72px minmax(0,1fr);gap:16px}
.cue{display:block;aspect-ratio:9/16;border-radius:8px;overflow:hidden;background:var(--wash)}.cue img{display:block;width:100%;height:100%;object-fit:cover}
.said{display:flex;flex-direction:column;gap:4px;min-width:0}
.words{font-size:16px;line-height:25px;text-decoration:none;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}.words:hover{text-decoration:underline}
.link{display:flex;gap:8px;margin-top:auto}.link input{flex:1;min-width:0;min-height:36px;padding:0 10px;border:1px solid var(--edge);border-radius:8px;background:none;color:var(--ink-2);font:12px ui-monospace,monospace;text-overflow:ellipsis}
button{min-height:36px;min-width:76px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;background:var(--sheet);color:var(--ink);font:600 13px system-ui,sans-serif;cursor:pointer}button:hover{background:var(--wash)}button[hidden]{display:none}
.cases{display:grid;gap:8px}.cases li{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,460px);gap:4px 20px;align-items:center}.cases code{font-size:12px;color:var(--ink-3)}
.post{display:grid;grid-template-columns:minmax(0,360px) minmax(0,1fr);gap:40px;margin-top:20px;align-items:start}
.film{display:grid;gap:12px}.film video,.film img{display:block;width:100%;max-height:80vh;border-radius:12px;background:#000}
.caption{font-size:18px;line-height:30px;white-space:pre-wrap;overflow-wrap:anywhere;max-width:60ch}.about{display:grid;gap:20px}.about .link{max-width:520px}
.counts{display:flex;flex-wrap:wrap;gap:8px 28px}.counts dd{font-size:22px;font-weight:640}.counts dt{font-size:13px;color:var(--ink-3)}.counts div{display:flex;flex-direction:column-reverse}
.grid{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:4px;margin-top:20px}.grid a{display:block;aspect-ratio:3/4;background:var(--wash)}.grid img{display:block;width:100%;height:100%;object-fit:cover}
.Embed{max-width:360px;padding:12px}.EmbeddedMediaImage{display:block;width:100%;border-radius:12px;margin:8px 0}.Caption{white-space:pre-wrap;overflow-wrap:anywhere}
@media(max-width:820px){main{padding:20px 16px}h1{font-size:28px}.post,.cases li{grid-template-columns:minmax(0,1fr);gap:12px}.film{max-width:420px}.link input,button,nav a{min-height:44px}}
`;

/** How every page of the stand-in looks to people: in one piece, with nothing to fetch. */
export const peopleStyle =
  '<meta name="viewport" content="width=device-width,initial-scale=1">' +
  `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}"><style>${rules.replaceAll("\n", "")}</style>`;
