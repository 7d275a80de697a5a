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
  body{min-height:100vh;min-height:100svh;background:var(--paper);color:var(--text);font:16px/1.5 var(--text-font);-webkit-text-size-adjust:100%}
  .page{margin:0 auto}
  .portrait{overflow:hidden}
  .portrait>*{display:block;width:100%;height:100%;object-fit:cover}
  h1{font-family:var(--title-font)}
  h1,h2,.about,.handle,li span{overflow-wrap:anywhere;min-width:0}
  .about{white-space:pre-line}
  .handle,.made-with{color:var(--dim)}
  ul{list-style:none;padding:0}
  li a{display:flex;align-items:center;gap:.8em;min-height:44px;background:var(--link);color:var(--link-text);border-radius:var(--corner);text-decoration:none}
  li span{flex:1}
  li .highlighted{background:var(--highlight);color:var(--highlight-text)}
  li a[href]:hover{filter:brightness(1.07)}
  .visit{position:fixed;inset:auto auto 0 0;width:1px;height:1px;opacity:0}
  .made-with{font-size:.82em;margin-top:36px}
  .made-with a{color:inherit}
  .report-link{margin-top:8px}
  :focus-visible{outline:2px solid;outline-offset:3px}`);

const parts = {
  socials: small(`
    .elsewhere{display:flex;flex-wrap:wrap}
    .elsewhere a{display:flex;align-items:center;min-width:44px;height:44px;padding:0 12px;gap:.5em;color:var(--text);text-decoration:none}
    .elsewhere svg{display:block;width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}`),
  thumbnails:
    "li img{width:2.6em;height:2.6em;flex:none;object-fit:cover;border-radius:.4em}li picture{display:contents}",
  portrait: ".portrait img{display:block;width:100%;height:100%;object-fit:cover}",
  banner: small(`
    .draft-note{position:sticky;top:0;z-index:1;padding:10px 16px;background:#1d1820;color:#fff;font:600 14px/1.4 system-ui,sans-serif;text-align:center}
    .draft-note b{color:#ffd84a}`),
  /** The content is on a sheet, and the picture shows above it and at its sides. */
  sheet: small(`
    .page{background:var(--paper);width:min(100%,40em);margin-top:28vh;min-height:72vh;border-radius:1.6em 1.6em 0 0;overflow:clip}
    .portrait{max-width:100%}
    @media(min-width:900px){.page{width:min(100% - 4em,62em);margin-block:14vh;min-height:0;border-radius:1.6em}}`),
  /** Letter spacing would separate joined letters. */
  joined: "h1,li a{letter-spacing:0!important}",
  unmasked: "-webkit-mask:none;mask:none",
};

/** Pieces of a page that only some pages have. */
interface PagePieces {
  readonly thumbnails: boolean;
  readonly portrait: boolean;
  readonly socials: boolean;
  readonly banner: boolean;
  /** The page's script joins its letters. */
  readonly joined: boolean;
}

/** The style of a page. Its values are hex colors, lengths and paths of ours. */
export function styleOf({ theme }: BioContent, palette: Palette, pieces: PagePieces): string {
  const design = designs[theme.preset];
  const hasTexture = theme.background === null && palette.sheet === null;
  return [
    `:root{${variablesOf(theme, palette)}}`,
    pieces.thumbnails ? parts.thumbnails : "",
    common,
    pieces.portrait ? parts.portrait : "",
    pieces.socials ? parts.socials : "",
    design.style,
    hasTexture ? design.texture : `body{background:${backdropOf(palette)}}`,
    linkStyleOf(theme, palette),
    palette.sheet === null ? "" : parts.sheet,
    pieces.joined ? parts.joined : "",
    pieces.banner ? parts.banner : "",
  ].join("");
}

function variablesOf({ preset, font, button }: BioContent["theme"], palette: Palette): string {
  const design = designs[preset];
  const families = font === "look" ? design.fonts : { text: fonts[font], title: fonts[font] };
  const corner = { none: "0", md: design.corner, full: "99em" }[button.radius];
  const { ornaments, shades } = looks[preset];
  // Designs number the colors in this order: those under the text first.
  const [first, second, third] = [...shades, ...ornaments];
  const variables = {
    "text-font": families.text,
    "title-font": families.title,
    paper: palette.sheet ?? palette.grounds[0],
    "ornament-1": first,
    "ornament-2": second,
    "ornament-3": third,
    text: palette.text,
    dim: palette.dim,
    edge: palette.edge,
    link: palette.link ?? "none",
    "link-text": palette.linkText,
    highlight: palette.highlight,
    "highlight-text": palette.highlightText,
    name: palette.nameText,
    corner,
    "turned-corner": corner.split(" ").toReversed().join(" "),
  };
  return Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name}:${value}`]))
    .join(";");
}

/** The owner's choices for links, which override those of the look. */
function linkStyleOf({ preset, button }: BioContent["theme"], { linkEdge }: Palette): string {
  const { style, radius } = button;
  return [
    radius === "md" ? "" : `ul li a{border-radius:var(--corner)!important;${parts.unmasked}}`,
    style === "look" || designs[preset].isBare !== true ? "" : "ul li a{padding-inline:1.1em}",
    linkEdge === null ? "" : `ul li a:not(.highlighted){box-shadow:inset 0 0 0 1.5px ${linkEdge};${parts.unmasked}}`,
  ].join("");
}

function backdropOf({ image, grounds: [ground, second] }: Palette): string {
  if (image !== null) return `${ground} url("${image}") center/cover fixed`;
  return second === undefined ? ground : `linear-gradient(${ground},${second}) ${second} fixed`;
}
