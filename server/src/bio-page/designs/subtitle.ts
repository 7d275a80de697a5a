import { small, type Design } from "./design.ts";

/** A frame of film in the dark: a wide still between black bars, and every line a subtitle. */
export const subtitle: Design = {
  fonts: {
    text: 'system-ui,-apple-system,"Helvetica Neue",Roboto,"Noto Sans",sans-serif',
    title: '"Helvetica Neue",Helvetica,Arial,system-ui,"Noto Sans",sans-serif',
  },
  corner: ".25em",
  style: small(`
    .page{width:100%;padding:0 0 44px}
    main{display:grid;justify-items:center}
    header{width:100%;text-align:center}
    .identity{padding:0 20px;display:grid;justify-items:center}
    .portrait{height:min(64vw,400px);-webkit-mask:linear-gradient(#000 62%,#0000);mask:linear-gradient(#000 62%,#0000)}
    h1{font-size:clamp(1.9em,8.4vw,3.3em);line-height:1.34;font-weight:800;letter-spacing:-.03em;margin-top:-1.5em;max-width:13em;text-wrap:balance;position:relative}
    h1 span{background:var(--text);color:var(--name);padding:.05em .34em .09em;-webkit-box-decoration-break:clone;box-decoration-break:clone}
    .handle{margin-top:.8em}
    .about{margin-top:.5em;font-size:1.06em;max-width:36ch;text-wrap:balance}
    .elsewhere{justify-content:center;margin-top:8px}
    ul{display:grid;justify-items:center;gap:9px;padding:24px 20px 0;max-width:44em}
    li a{min-height:48px;padding:.5em .85em;font-size:1.12em;font-weight:700;line-height:1.3;letter-spacing:-.01em;text-align:center}
    li img{border-radius:.2em}
    h2{font-size:.94em;font-weight:500;font-style:italic;padding-top:1.2em;text-align:center;color:var(--dim)}
    footer{text-align:center}
    @media(min-width:900px){
      .portrait{max-width:1080px;margin:auto;height:380px;-webkit-mask:radial-gradient(62% 100% at 50% 0,#000 58%,#0000);mask:radial-gradient(62% 100% at 50% 0,#000 58%,#0000)}
      li a{font-size:1.3em;min-height:54px}
      ul{gap:11px}
    }`),
  texture: small(`
    body{background:repeating-linear-gradient(var(--ornament-1) 0 1px,#0000 1px 3px) var(--paper);border-block:22px solid var(--ornament-2)}
    @media(min-width:900px){body{border-block-width:56px}}`),
};
