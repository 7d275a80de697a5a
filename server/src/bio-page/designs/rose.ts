import { small, type Design } from "./design.ts";

/** A box of sweets: a scalloped edge, an oval in a double ring, a slender serif, and tiles. */
export const rose: Design = {
  fonts: {
    text: '"Hoefler Text","Baskerville","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif',
    title: '"Bodoni 72","Bodoni MT",Didot,"Didot LT STD","Playfair Display","Noto Serif Display",Georgia,serif',
  },
  corner: "1.3em",
  style: small(`
    .page{padding:64px 16px 36px;width:min(100%,30em)}
    header{display:grid;justify-items:center;text-align:center}
    .portrait{width:8.4em;height:10.8em;border-radius:50%;box-shadow:0 0 0 5px var(--paper),0 0 0 6px var(--highlight),0 0 0 10px var(--paper),0 0 0 11px var(--highlight)}
    h1{font-size:clamp(2.3em,11vw,3.3em);line-height:1.05;font-weight:400;font-style:italic;letter-spacing:-.02em;margin-top:.75em;text-wrap:balance}
    .handle{margin-top:.35em}
    .about{margin:.6em auto 0;font-size:1.08em;max-width:32ch;text-wrap:balance}
    .elsewhere{justify-content:center;margin-top:6px}
    ul{display:flex;flex-wrap:wrap;gap:11px;margin-top:24px}
    li{flex:1 1 calc(50% - 6px)}
    li a{height:100%;min-height:6.6em;padding:1.05em 1.1em;flex-direction:column;align-items:stretch;justify-content:end;font-size:1.06em;line-height:1.28}
    li a span{flex:0 1 auto}
    li:has(.highlighted),li:has(h2){flex-basis:100%}
    li .highlighted{min-height:4.6em;font-size:1.35em;font-style:italic;justify-content:center;text-align:center}
    li img{width:100%;height:auto;aspect-ratio:4/3;border-radius:.8em;margin-bottom:auto}
    h2{font:italic 400 1.3em/1.2 var(--title-font);text-align:center;padding:.8em 0 .1em;color:var(--dim)}
    footer{text-align:center}
    @media(min-width:900px){
      .page{width:min(100%,58em);padding-top:84px}
      .portrait{width:9em;height:11.6em}
      h1{font-size:4.4em}
      ul{gap:16px;margin-top:32px}
      li{flex-basis:calc(33.3% - 11px)}
      li a{min-height:8.4em;padding:1.3em 1.4em;font-size:1.15em}
    }`),
  texture: small(`
    body{background:radial-gradient(22px at 50% 0,var(--highlight) 96%,#0000) 50% 14px/44px 44px repeat-x,linear-gradient(var(--highlight) 14px,#0000 0),radial-gradient(70% 30em at 50% 6em,var(--ornament-1),#0000),var(--paper)}`),
};
