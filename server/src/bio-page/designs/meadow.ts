import { small, type Design } from "./design.ts";

/** Outdoors: a sun, hills at the foot of the page, a pebble for the portrait and leaves for links. */
export const meadow: Design = {
  fonts: {
    text: 'Optima,Candara,"Gill Sans Nova","Gill Sans","Noto Sans",system-ui,sans-serif',
    title: 'Optima,Candara,"Gill Sans Nova","Gill Sans","Noto Sans",system-ui,sans-serif',
  },
  corner: "1.9em .45em",
  style: small(`
    .page{padding:40px 20px 36px;width:min(100%,31em)}
    header{display:grid;grid-template-columns:8.2em 1fr;gap:0 20px;align-items:center}
    .identity{display:contents}
    .portrait{grid-row:1/3;height:9.4em;border-radius:62% 38% 46% 54%/54% 46% 54% 46%}
    h1{font-size:clamp(1.7em,7.4vw,2.5em);line-height:1.08;font-weight:700;letter-spacing:-.015em;align-self:end}
    .handle{align-self:start;margin-top:.4em}
    .about,.elsewhere{grid-column:1/-1}
    .about{margin-top:1.2em;font-size:1.1em;text-wrap:pretty}
    .elsewhere{margin:8px -12px 0}
    ul{display:grid;gap:12px;margin-top:24px}
    li a{min-height:3.9em;padding:.8em 1.5em;font-weight:600;font-size:1.04em;line-height:1.3}
    li:nth-child(2n) a{border-radius:var(--turned-corner)}
    h2{font-size:1.05em;font-weight:700;padding:1em .3em 0;color:var(--dim)}
    @media(min-width:900px){
      .page{width:min(100%,54em);padding-top:80px}
      header{grid-template-columns:14em 1fr;gap:0 48px}
      .portrait{grid-row:1/5;height:16em}
      h1{font-size:3.5em}
      .about,.elsewhere{grid-column:2}
      .about{font-size:1.2em;margin-top:.8em}
      ul{grid-template-columns:1fr 1fr;gap:16px;margin-top:48px}
      li:has(h2){grid-column:1/-1}
      li:nth-child(2n) a{border-radius:var(--corner)}
    }`),
  texture: small(`
    body{background:radial-gradient(circle at 100% 0,var(--ornament-3) clamp(4.4em,11vw,10em),#0000 calc(clamp(4.4em,11vw,10em) + 1px)) no-repeat,radial-gradient(80% 100% at 15% 100%,var(--ornament-2) 99.6%,#0000) 0 100%/100% 8em no-repeat,radial-gradient(95% 100% at 90% 100%,var(--ornament-1) 99.6%,#0000) 0 100%/100% 13em no-repeat,var(--paper)}
    .page{padding-bottom:7em}`),
};
