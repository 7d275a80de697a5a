import { small, type Design } from "./design.ts";

/** Colored light through sheets of gel: soft rounds that overlap, pills, round letters. */
export const gel: Design = {
  fonts: {
    text: 'ui-rounded,"SF Pro Rounded","Hiragino Maru Gothic ProN","Varela Round",Nunito,Quicksand,system-ui,"Noto Sans",sans-serif',
    title:
      'ui-rounded,"SF Pro Rounded","Hiragino Maru Gothic ProN","Varela Round",Nunito,Quicksand,system-ui,"Noto Sans",sans-serif',
  },
  corner: "99em",
  style: small(`
    .page{padding:56px 20px 40px;width:min(100%,28em)}
    header{display:grid;justify-items:center;text-align:center}
    .portrait{width:8.6em;height:8.6em;border-radius:50%;box-shadow:0 0 0 5px var(--highlight),-1.5em .7em 0 -.4em var(--ornament-1),1.5em .7em 0 -.4em var(--ornament-2)}
    h1{font-size:clamp(1.9em,8vw,2.5em);line-height:1.15;font-weight:700;letter-spacing:-.015em;margin-top:.95em;text-wrap:balance}
    .handle{margin-top:.25em}
    .about{margin:.7em auto 0;max-width:34ch;text-wrap:balance}
    .elsewhere{justify-content:center;gap:10px;margin-top:16px}
    .elsewhere a{border-radius:99em;background:var(--link);color:var(--link-text)}
    ul{display:grid;gap:12px;margin-top:26px}
    li a{min-height:3.6em;padding:.7em 1.5em;text-align:center;font-weight:600;line-height:1.35;box-shadow:inset 0 1px 0 var(--edge)}
    li img{border-radius:50%;margin-inline-start:-.8em}
    h2{font-size:.92em;font-weight:600;text-align:center;padding-top:1em;color:var(--dim)}
    footer{text-align:center}
    @media(min-width:900px){
      .page{width:32em;padding-top:88px}
      .portrait{width:11em;height:11em}
      h1{font-size:3em}
      .about{font-size:1.1em}
    }`),
  texture: small(`
    body{background:radial-gradient(circle at 12% 8%,var(--ornament-1) 0,#0000 min(70vw,34em)),radial-gradient(circle at 96% 44%,var(--ornament-2) 0,#0000 min(80vw,40em)),radial-gradient(circle at 10% 100%,var(--ornament-3) 0,#0000 min(90vw,46em)),var(--paper)}`),
};
