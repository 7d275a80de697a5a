import { small, type Design } from "./design.ts";

const holes = "repeating-linear-gradient(90deg,#0000 0 9px,var(--highlight) 9px 21px,#0000 21px 30px)";

/** A darkroom: a strip of film with its holes, a red glow, and frames that are counted. */
export const safelight: Design = {
  fonts: {
    text: 'ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace',
    title: 'ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace',
  },
  corner: "0",
  style: small(`
    body{font-size:15px}
    .page{padding:34px 20px 36px;width:min(100%,32em)}
    .portrait{width:11.2em;height:15em;padding:1.5em .7em;background:${holes} 0 .45em/100% .55em repeat-x,${holes} 0 calc(100% - .45em)/100% .55em repeat-x,var(--ornament-2)}
    h1{font-size:clamp(1.8em,8vw,2.5em);line-height:1.12;font-weight:700;letter-spacing:-.05em;margin-top:.8em}
    .handle{margin-top:.5em}
    .about{margin-top:.9em;max-width:46ch}
    .elsewhere{margin:10px -12px 0}
    ul{display:grid;gap:10px;margin-top:24px;counter-reset:n}
    li a{min-height:3.7em;padding:.8em 1em;line-height:1.35;box-shadow:inset 0 0 0 1px var(--edge);counter-increment:n}
    li a::after{content:counter(n) "A";font-size:.8em;align-self:end}
    li .highlighted{font-weight:700;box-shadow:none}
    h2{font-size:1em;font-weight:400;padding-top:1.1em;color:var(--dim)}
    h2::before{content:"— "}
    @media(min-width:900px){
      .page{width:min(100%,66em);padding:72px 40px 40px}
      header{display:grid;grid-template-columns:auto 1fr;gap:0 44px;align-items:end}
      .portrait{width:14.4em;height:19em}
      h1{font-size:3.4em}
      ul{grid-template-columns:repeat(3,1fr);gap:14px;margin-top:40px}
      li a{min-height:7.4em;align-items:start}
      li:has(h2){grid-column:1/-1}
    }`),
  texture: small(`
    body{background:radial-gradient(120% 34em at 30% 0,var(--ornament-1),#0000),var(--paper)}`),
};
