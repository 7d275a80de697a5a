import type { BioContent } from "@reelscript/contract";
import { small } from "./designs/design.ts";
import { designs } from "./designs/designs.ts";
import { looks } from "./looks.ts";
import type { Palette } from "./palette-of.ts";

const fonts = {
  sans: 'system-ui,-apple-system,Roboto,"Noto Sans",sans-serif',
  serif: 'ui-serif,Georgia,"Noto Serif",serif',
  mono: "ui-monospace,Menlo,Consolas,monospace",
};

const common = small(`
  *{box-sizing:border-box;margin:0}
  body{min-height:100vh;min-height:100svh;background:var(--p);color:var(--t);font:16px/1.5 var(--f);-webkit-text-size-adjust:100%}
  .pg{margin:0 auto}
  .ph{overflow:hidden}
  .ph>*{display:block;width:100%;height:100%;object-fit:cover}
  h1{font-family:var(--g)}
  h1,h2,.ab,.at,li span{overflow-wrap:anywhere;min-width:0}
  .ab{white-space:pre-line}
  .at,.by{color:var(--d)}
  ul{list-style:none;padding:0}
  li a{display:flex;align-items:center;gap:.8em;min-height:44px;background:var(--l);color:var(--i);border-radius:var(--r);text-decoration:none}
  li span{flex:1}
  li .hi{background:var(--h);color:var(--k)}
  li a[href]:hover{filter:brightness(1.07)}
  .v{position:fixed;inset:auto auto 0 0;width:1px;height:1px;opacity:0}
  .by{font-size:.82em;margin-top:36px}
  .by a{color:inherit}
  .rp{margin-top:8px}
  :focus-visible{outline:2px solid;outline-offset:3px}`);

const parts = {
  socials: small(`
    .so{display:flex;flex-wrap:wrap}
    .so a{display:flex;align-items:center;min-width:44px;height:44px;padding:0 12px;gap:.5em;color:var(--t);text-decoration:none}
    .so svg{display:block;width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}`),
  thumbnails:
    "li img{width:2.6em;height:2.6em;flex:none;object-fit:cover;border-radius:.4em}li picture{display:contents}",
  portrait: ".ph img{display:block;width:100%;height:100%;object-fit:cover}",
  banner: small(`
    .no{position:sticky;top:0;z-index:1;padding:10px 16px;background:#1d1820;color:#fff;font:600 14px/1.4 system-ui,sans-serif;text-align:center}
    .no b{color:#ffd84a}`),
  /** The content lies on a sheet, and the picture shows above it and at its sides. */
  sheet: small(`
    .pg{background:var(--p);width:min(100%,40em);margin-top:28vh;min-height:72vh;border-radius:1.6em 1.6em 0 0;overflow:clip}
    .ph{max-width:100%}
    @media(min-width:900px){.pg{width:min(100% - 4em,62em);margin-block:14vh;min-height:0;border-radius:1.6em}}`),
  /** Spaces between letters would part those that are joined. */
  joined: "h1,li a{letter-spacing:0!important}",
  unmasked: "-webkit-mask:none;mask:none",
};

/** Pieces of a page that only some pages have. */
interface Shown {
  readonly thumbnails: boolean;
  readonly portrait: boolean;
  readonly socials: boolean;
  readonly banner: boolean;
  /** Whether the page is in a script whose letters are joined. */
  readonly joined: boolean;
}

/** The style of a page. Its values are hex colors, lengths and paths of ours. */
export function styleOf({ theme }: BioContent, palette: Palette, shown: Shown): string {
  const design = designs[theme.preset];
  const hasTexture = theme.background === null && palette.sheet === null;
  return [
    `:root{${variablesOf(theme, palette)}}`,
    shown.thumbnails ? parts.thumbnails : "",
    common,
    shown.portrait ? parts.portrait : "",
    shown.socials ? parts.socials : "",
    design.style,
    hasTexture ? design.texture : `body{background:${backdropOf(palette)}}`,
    linkStyleOf(theme, palette),
    palette.sheet === null ? "" : parts.sheet,
    shown.joined ? parts.joined : "",
    shown.banner ? parts.banner : "",
  ].join("");
}

function variablesOf({ preset, font, button }: BioContent["theme"], palette: Palette): string {
  const design = designs[preset];
  const own = font === "look" ? design.fonts : { text: fonts[font], title: fonts[font] };
  const corner = { none: "0", md: design.corner, full: "99em" }[button.radius];
  const { ornaments, shades } = looks[preset];
  // The order in which designs name them: what text lies on first.
  const [x, y, z] = [...shades, ...ornaments];
  const variables = {
    f: own.text,
    g: own.title,
    p: palette.sheet ?? palette.grounds[0],
    x,
    y,
    z,
    t: palette.text,
    d: palette.dim,
    e: palette.edge,
    l: palette.link ?? "none",
    i: palette.linkText,
    h: palette.highlight,
    k: palette.highlightText,
    n: palette.nameText,
    r: corner,
    q: corner.split(" ").toReversed().join(" "),
  };
  return Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name}:${value}`]))
    .join(";");
}

/** What the owner chose for links over the look's own. */
function linkStyleOf({ preset, button }: BioContent["theme"], { linkEdge }: Palette): string {
  const { style, radius } = button;
  return [
    radius === "md" ? "" : `ul li a{border-radius:var(--r)!important;${parts.unmasked}}`,
    style === "look" || designs[preset].isBare !== true ? "" : "ul li a{padding-inline:1.1em}",
    linkEdge === null ? "" : `ul li a:not(.hi){box-shadow:inset 0 0 0 1.5px ${linkEdge};${parts.unmasked}}`,
  ].join("");
}

function backdropOf({ image, grounds: [ground, second] }: Palette): string {
  if (image !== null) return `${ground} url("${image}") center/cover fixed`;
  return second === undefined ? ground : `linear-gradient(${ground},${second}) ${second} fixed`;
}
