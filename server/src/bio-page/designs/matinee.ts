import { small, type Design } from "./design.ts";

/** A poster in the foyer: rays, an arch, and tickets to tear. */
export const matinee: Design = {
  fonts: {
    text: 'Georgia,"Noto Serif",serif',
    title: 'Rockwell,"Rockwell Nova","Roboto Slab","DejaVu Serif","Noto Serif",Georgia,serif',
  },
  corner: ".4em",
  style: small(`
    .pg{padding:40px 18px 36px;width:min(100%,31em)}
    header{display:grid;justify-items:center;text-align:center}
    .ph{width:10.5em;height:13em;border-radius:9em 9em .5em .5em;box-shadow:0 0 0 5px var(--p),0 0 0 9px var(--h)}
    h1{font-size:clamp(2.1em,10vw,3em);line-height:1.05;font-weight:800;letter-spacing:-.02em;margin-top:.8em;text-wrap:balance}
    .at{font-style:italic;margin-top:.4em}
    .ab{margin:.7em auto 0;font-size:1.05em;max-width:33ch;text-wrap:balance}
    .so{justify-content:center;margin-top:8px}
    ul{display:grid;gap:12px;margin-top:26px}
    li a{position:relative;min-height:4.1em;padding:.8em 3.4em;text-align:center;font-weight:700;line-height:1.3;-webkit-mask:radial-gradient(.62em at 0 50%,#0000 96%,#000) 0/51% 100% no-repeat,radial-gradient(.62em at 100% 50%,#0000 96%,#000) 100%/51% 100% no-repeat;mask:radial-gradient(.62em at 0 50%,#0000 96%,#000) 0/51% 100% no-repeat,radial-gradient(.62em at 100% 50%,#0000 96%,#000) 100%/51% 100% no-repeat}
    li a::before,li a::after{content:"";position:absolute;inset-block:.55em;inset-inline-start:2.1em;border-inline-start:2px dashed;opacity:.45}
    li a::after{inset-inline:auto 2.1em}
    li a:focus-visible{outline-offset:-5px}
    h2{font-size:1.02em;font-style:italic;font-weight:400;text-align:center;padding-top:.9em;color:var(--d)}
    h2::before,h2::after{content:" ✦ ";font-style:normal;font-size:.8em}
    footer{text-align:center}
    @media(min-width:900px){
      .pg{width:min(100%,52em);padding-top:56px}
      .ph{width:11em;height:13.6em}
      h1{font-size:3.7em}
      ul{display:flex;flex-wrap:wrap;gap:14px 16px;margin-top:36px}
      li{flex:1 1 calc(50% - 8px)}
      li:has(h2),li:has(.hi){flex-basis:100%}
    }`),
  texture: small(`
    body{background:radial-gradient(150vmax at 50% 9em,#0000 24em,var(--p) 46em),repeating-conic-gradient(from -4deg at 50% 9em,var(--x) 0 8deg,var(--p) 8deg 16deg)}`),
};
