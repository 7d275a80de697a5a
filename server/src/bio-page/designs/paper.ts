import { small, type Design } from "./design.ts";

/** The contents page of a magazine: a large serif, rules, numbered lines. */
export const paper: Design = {
  fonts: {
    text: 'Charter,"Bitstream Charter","Iowan Old Style",Georgia,"Noto Serif",serif',
    title: 'Charter,"Bitstream Charter","Iowan Old Style",Georgia,"Noto Serif",serif',
  },
  corner: "0",
  isBare: true,
  style: small(`
    .page{padding:20px 22px 36px;width:min(100%,34em)}
    header{display:flow-root;border-top:7px solid;padding-top:5px}
    header::before{content:"";display:block;border-top:1px solid;margin-bottom:18px}
    .portrait{float:inline-end;width:33%;aspect-ratio:3/4;margin:0 0 14px 18px}
    [dir=rtl] .portrait{margin:0 18px 14px 0}
    h1{font-size:clamp(2.2em,11.5vw,3.6em);line-height:1;font-weight:700;letter-spacing:-.035em;text-wrap:balance}
    .handle{font-style:italic;margin-top:.5em}
    .about{clear:both;font-size:1.12em;padding-top:4px;text-wrap:pretty}
    .elsewhere{margin:10px -12px 0}
    ul{margin-top:26px;border-top:1px solid;counter-reset:n}
    li{border-bottom:1px solid var(--edge)}
    li:last-child{border-color:currentColor}
    li a{padding:.85em 0;font-size:1.2em;line-height:1.3;gap:.9em;counter-increment:n}
    li a::before{content:counter(n,decimal-leading-zero);font-size:.72em;font-variant-numeric:tabular-nums;min-width:1.7em}
    li a::after{content:"→";font-size:.9em}
    [dir=rtl] li a::after{content:"←"}
    li .highlighted{padding-inline:.7em;margin:-1px 0}
    h2{font-size:1em;font-style:italic;font-weight:400;padding:1.7em 0 .5em;color:var(--dim)}
    @media(min-width:900px){
      .page{width:min(100%,76em);padding:72px 56px 40px}
      main{display:grid;grid-template-columns:5fr 6fr;gap:0 88px;align-items:start}
      header{position:sticky;top:48px}
      .portrait{width:38%}
      h1{font-size:clamp(3.2em,5.4vw,4.9em)}
      .about{font-size:1.3em}
      ul{margin:0;border-top:7px solid}
      li a{font-size:1.4em}
    }`),
  texture: small(`
    body{background:repeating-linear-gradient(90deg,var(--ornament-1) 0 1px,#0000 1px 5px) var(--paper)}`),
};
