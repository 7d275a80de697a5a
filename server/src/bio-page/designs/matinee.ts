import { small, type Design } from "./design.ts";

/** A poster in the foyer: rays, an arch, and tickets to tear. */
export const matinee: Design = {
  fonts: {
    text: 'Georgia,"Noto Serif",serif',
    title: 'Rockwell,"Rockwell Nova","Roboto Slab","DejaVu Serif","Noto Serif",Georgia,serif',
  },
  corner: ".4em",
  style: small(`
    .page{padding:40px 18px 36px;width:min(100%,31em)}
    header{display:grid;justify-items:center;text-align:center}
    .portrait{width:10.5em;height:13em;border-radius:9em 9em .5em .5em;box-shadow:0 0 0 5px var(--paper),0 0 0 9px var(--highlight)}
    h1{font-size:clamp(2.1em,10vw,3em);line-height:1.05;font-weight:800;letter-spacing:-.02em;margin-top:.8em;text-wrap:balance}
    .handle{font-style:italic;margin-top:.4em}
    .about{margin:.7em auto 0;font-size:1.05em;max-width:33ch;text-wrap:balance}
    .elsewhere{justify-content:center;margin-top:8px}
    ul{display:grid;gap:12px;margin-top:26px}
    li a{position:relative;min-height:4.1em;padding:.8em 3.4em;text-align:center;font-weight:700;line-height:1.3;-webkit-mask:radial-gradient(.62em at 0 50%,#0000 96%,#000) 0/51% 100% no-repeat,radial-gradient(.62em at 100% 50%,#0000 96%,#000) 100%/51% 100% no-repeat;mask:radial-gradient(.62em at 0 50%,#0000 96%,#000) 0/51% 100% no-repeat,radial-gradient(.62em at 100% 50%,#0000 96%,#000) 100%/51% 100% no-repeat}
    li a::before,li a::after{content:"";position:absolute;inset-block:.55em;inset-inline-start:2.1em;border-inline-start:2px dashed;opacity:.45}
    li a::after{inset-inline:auto 2.1em}
    li a:focus-visible{outline-offset:-5px}
    h2{font-size:1.02em;font-style:italic;font-weight:400;text-align:center;padding-top:.9em;color:var(--dim)}
    h2::before,h2::after{content:" ✦ ";font-style:normal;font-size:.8em}
    footer{text-align:center}
    @media(min-width:900px){
      .page{width:min(100%,52em);padding-top:56px}
      .portrait{width:11em;height:13.6em}
      h1{font-size:3.7em}
      ul{display:flex;flex-wrap:wrap;gap:14px 16px;margin-top:36px}
      li{flex:1 1 calc(50% - 8px)}
      li:has(h2),li:has(.highlighted){flex-basis:100%}
    }`),
  texture: small(`
    body{background:radial-gradient(150vmax at 50% 9em,#0000 24em,var(--paper) 46em),repeating-conic-gradient(from -4deg at 50% 9em,var(--ornament-1) 0 8deg,var(--paper) 8deg 16deg)}`),
};
