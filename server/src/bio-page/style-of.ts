import type { BioContent } from "@reelscript/contract";
import { looks } from "./looks.ts";
import type { Palette } from "./palette-of.ts";

const fonts = {
  sans: 'system-ui,-apple-system,Roboto,"Noto Sans",sans-serif',
  serif: 'ui-serif,Georgia,"Noto Serif",serif',
  mono: "ui-monospace,Menlo,Consolas,monospace",
};

const common =
  "*{box-sizing:border-box;margin:0}main,footer{display:grid;justify-items:center;gap:14px;width:min(100%,27em)}.ph{width:8em;aspect-ratio:9/15;border-radius:1em;overflow:hidden}.ph>*,.so svg{display:block;width:100%;height:100%;object-fit:cover}h1{font-size:1.75em;font-weight:750;line-height:1.4;letter-spacing:-.02em;text-align:center;margin:-2.55em 0 .35em;max-width:11em;overflow-wrap:anywhere;text-wrap:balance;position:relative}h1 span{background:var(--t);color:var(--n);padding:.08em .42em .12em;border-radius:.26em;-webkit-box-decoration-break:clone;box-decoration-break:clone}.ab{text-align:center;color:var(--d);max-width:34ch;text-wrap:balance;white-space:pre-line;overflow-wrap:anywhere}ul{list-style:none;padding:0;width:100%;display:grid;gap:.7em}li a{display:flex;gap:.8em;align-items:center;min-height:3.4em;padding:.7em 1.2em;border-radius:var(--r);background:var(--l);color:var(--i);font-weight:600;text-decoration:none}li a span{flex:1;min-width:0;text-align:center;overflow-wrap:anywhere}li a[href]:hover{filter:brightness(1.06)}li .hi{background:var(--h);color:var(--k)}h2{font-weight:600;text-align:center;color:var(--d);padding-top:.6em;font-size:.9em;overflow-wrap:anywhere}.so{display:flex;flex-wrap:wrap;justify-content:center;gap:0 .6em}.so a{display:flex;align-items:center;min-width:44px;height:44px;padding:0 12px;gap:.5em;color:var(--t);text-decoration:none}.so svg{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.by{font-size:.8em;color:var(--d);margin-top:1.4em}.by a{color:inherit}:focus-visible{outline:2px solid var(--t);outline-offset:3px;border-radius:6px}";
const withThumbnails =
  "li img{width:2.6em;height:2.6em;margin:-.2em 0 -.2em -.5em;border-radius:min(var(--r),.6em);object-fit:cover}[dir=rtl] li img{margin:-.2em -.5em -.2em 0}";
const withSheet =
  "body>*{background:var(--p);padding-inline:20px}main{border-radius:24px 24px 0 0;padding-block:28px 0}footer{border-radius:0 0 24px 24px;padding-bottom:24px;margin-top:-1px}";

/** The style of a page. Its values are hex colours and lengths of ours, and an address without a character that CSS knows. */
export function styleOf({ theme }: BioContent, palette: Palette, shows: { readonly thumbnails: boolean }): string {
  const { grounds, image, sheet } = palette;
  const [ground] = grounds;
  const corner = { none: "0px", md: looks[theme.preset].corner, full: "99px" }[theme.button.radius];
  const variables = {
    p: sheet ?? ground,
    t: palette.text,
    d: palette.dim,
    l: palette.link ?? "none",
    i: palette.linkText,
    h: palette.highlight,
    k: palette.highlightText,
    n: palette.nameText,
    r: corner,
  };
  const backdrop = image === null ? (grounds.length === 1 ? ground : gradientOf(grounds)) : pictureOf(image, ground);
  return [
    `:root{${Object.entries(variables)
      .map(([name, value]) => `--${name}:${value}`)
      .join(";")}}`,
    `body{min-height:100vh;background:${backdrop};color:var(--t);font:16px/1.5 ${fonts[theme.font]};padding:48px 20px 40px;display:grid;justify-items:center;align-content:start}`,
    common,
    palette.linkEdge === null ? "" : `li a{box-shadow:inset 0 0 0 1.5px ${palette.linkEdge}}`,
    shows.thumbnails ? withThumbnails : "",
    sheet === null ? "" : withSheet,
  ].join("");
}

const gradientOf = (grounds: readonly string[]): string => `linear-gradient(${grounds.join(",")}) ${grounds[1]} fixed`;

const pictureOf = (url: string, ground: string): string => `${ground} url("${forCss(url)}") center/cover fixed`;

/** An address as CSS takes it between quotes, with nothing that could end them or the style. */
const forCss = (url: string): string =>
  new URL(url).href.replaceAll(
    /["'()\\<>\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
