import { contrastOf, leastContrast, mixOf, readableInk, type BioContent } from "@reelscript/contract";
import { looks } from "./looks.ts";

/** The colours of one page, hex all of them; every text can be read on what is behind it, whatever the owner chose. */
export interface Palette {
  /** Behind everything: one colour, or the two ends of a gradient. */
  readonly grounds: readonly [string] | readonly [string, string];
  readonly image: string | null;
  /** What the content lies on where no ink can be read on all of the background; null when it lies on that itself. */
  readonly sheet: string | null;
  readonly text: string;
  readonly dim: string;
  /** null: what is behind the links shows through. */
  readonly link: string | null;
  readonly linkText: string;
  readonly linkEdge: string | null;
  readonly highlight: string;
  readonly highlightText: string;
  /** On the strip of the name, whose ground is `text`. */
  readonly nameText: string;
}

export function paletteOf({ preset, background, button, colors }: BioContent["theme"]): Palette {
  const look = looks[preset];
  const image = background?.type === "image" ? background.value : null;
  const grounds = image === null ? groundsOf(background?.value ?? look.ground) : groundsOf(look.ground);
  const ink = readableInk(grounds, colors.text ?? look.text);
  const onSheet = image !== null || grounds.some((ground) => contrastOf(ground, ink) < leastContrast);
  // Without the owner's colours the look is one whole.
  const own = background === null && colors.text === null;

  const behind = onSheet ? [look.ground] : grounds;
  const [near = look.ground] = behind;
  const text = readableInk(behind, colors.text ?? look.text);
  const dim = colors.text === null ? readableInk(behind, own || onSheet ? look.dim : text) : text;

  const solid = {
    fill: colors.button ?? (own || onSheet ? look.link : mixOf(text, near, 0.09)),
    soft: mixOf(colors.button ?? text, near, 0.16),
    outline: null,
  }[button.style];
  const linkText = readableInk(solid ?? behind, colors.buttonText ?? (solid === look.link ? look.linkText : text));
  const shown = solid ?? near;
  const highlights: readonly (readonly [string, string])[] = [
    ...(own && colors.button === null ? [[look.highlight, look.highlightText] as const] : []),
    [text, near],
    [linkText, shown],
    [look.highlight, look.highlightText],
  ];
  const differs = ([colour]: readonly [string, string]): boolean =>
    contrastOf(colour, shown) >= 1.6 && contrastOf(colour, near) >= 1.6;
  const [highlight, highlightInk] = highlights.find(differs) ?? [text, near];
  return {
    grounds,
    image,
    sheet: onSheet ? look.ground : null,
    text,
    dim,
    link: solid,
    linkText,
    linkEdge: solid === null ? (colors.button ?? text) : null,
    highlight,
    highlightText: readableInk(highlight, highlightInk),
    nameText: readableInk(text, near),
  };
}

function groundsOf(value: string): Palette["grounds"] {
  const [first = value, second] = value.split(",");
  return second === undefined ? [first] : [first, second];
}
