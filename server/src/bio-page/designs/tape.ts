import { small, type Design } from "./design.ts";

/** A pinboard: squared paper, an instant photograph under a strip of tape, and embossed labels. */
export const tape: Design = {
  fonts: {
    text: '"Avenir Next","Segoe UI",Roboto,system-ui,"Noto Sans",sans-serif',
    title:
      '"Avenir Next Condensed","Roboto Condensed","Arial Narrow","Liberation Sans Narrow",Impact,system-ui,"Noto Sans",sans-serif',
  },
  corner: ".18em",
  style: small(`
    .page{padding:44px 22px 36px;width:min(100%,31em)}
    .portrait{position:relative;overflow:visible;width:11em;height:13.2em;padding:.75em .75em 2.6em;background:#fff;rotate:-3deg;box-shadow:0 2px 3px #0003,0 10px 24px -8px #0005;margin-inline-start:6px}
    .portrait::after{content:"";position:absolute;top:-.8em;left:3.4em;width:4.4em;height:1.7em;background:#f3dc8ce6;rotate:-2deg;box-shadow:0 1px 2px #0002}
    h1{font-size:clamp(2.3em,11vw,3.3em);line-height:1;font-weight:800;letter-spacing:-.02em;margin-top:.65em}
    .handle{margin-top:.4em}
    .about{margin-top:.7em;font-size:1.06em;max-width:40ch}
    .elsewhere{margin:8px -12px 0}
    ul{display:grid;gap:11px;justify-items:start;margin-top:24px}
    li{max-width:100%}
    li a{min-height:3em;padding:.55em 1.05em;font:700 1.04em/1.25 ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;letter-spacing:.02em;box-shadow:inset 0 1px 0 #fff5,inset 0 -2px 0 #0003,0 2px 4px #0004}
    li:nth-child(2n) a{rotate:.7deg}
    li:nth-child(3n+1) a{rotate:-.8deg}
    h2{font:800 1.35em/1.2 var(--title-font);padding-top:.7em}
    @media(min-width:900px){
      .page{width:min(100%,68em);padding:88px 48px 40px}
      main{display:grid;grid-template-columns:22em 1fr;gap:0 72px;align-items:start}
      .portrait{width:15em;height:18em}
      h1{font-size:3.8em}
      ul{margin-top:0;gap:15px}
      li a{font-size:1.2em}
    }`),
  texture: small(`
    body{background:linear-gradient(var(--ornament-1) 1px,#0000 1px) 0 0/22px 22px,linear-gradient(90deg,var(--ornament-1) 1px,#0000 1px) 0 0/22px 22px,var(--paper)}`),
};
