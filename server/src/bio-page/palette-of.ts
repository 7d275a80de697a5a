import { contrastOf, leastContrast, mixOf, readableInk, type BioContent } from "@reelscript/contract";
import { imageFile } from "./image-file.ts";
import { looks } from "./looks.ts";

/** The colors of one page, hex, six digits. */
export interface Palette {
  /** Behind everything: one color, or the two ends of a gradient. */
  readonly grounds: readonly [string] | readonly [string, string];
  /** Colors that the texture paints behind text. Empty if there is no texture. */
  readonly shades: readonly string[];
  /** A path that needs no escaping in CSS. */
  readonly image: string | null;
  /** A panel behind the content when no text color is readable on the whole background; otherwise null. */
  readonly sheet: string | null;
  readonly text: string;
  readonly dim: string;
  /** The color of lines and borders. */
  readonly edge: string;
  /** null makes the links transparent. */
  readonly link: string | null;
  readonly linkText: string;
  /** null: links have no border. */
  readonly linkEdge: string | null;
  readonly highlight: string;
  readonly highlightText: string;
  /** The color of the name, on a strip in the color `text`. */
  readonly nameText: string;
}

/** Text is always readable on its background, whatever colors the owner chose. */
export function paletteOf({ preset, background, button, colors }: BioContent["theme"]): Palette {
  const look = looks[preset];
  const shades = background === null ? look.shades : [];
  const isImage = background?.type === "image";
  const image = isImage ? imageFile(background.value, ".webp") : null;
  const grounds = groundsOf(isImage ? look.ground : (background?.value ?? look.ground));
  const ink = readableInk(grounds, colors.text ?? look.text);
  const onSheet = image !== null || grounds.some((ground) => contrastOf(ground, ink) < leastContrast);
  // Without colors from the owner, the whole look applies.
  const isPlainLook = background === null && colors.text === null;

  const behind = onSheet ? [look.ground] : [...grounds, ...shades];
  const [near = look.ground] = behind;
  const text = readableInk(behind, colors.text ?? look.text);
  const dim = colors.text === null ? readableInk(behind, isPlainLook || onSheet ? look.dim : text) : text;

  const filled = colors.button ?? (isPlainLook || onSheet ? look.link : mixOf(text, near, 0.09));
  const solid = {
    look: filled,
    fill: filled,
    soft: mixOf(colors.button ?? text, near, 0.16),
    outline: null,
  }[button.style];
  const linkText = readableInk(solid ?? behind, colors.buttonText ?? (solid === look.link ? look.linkText : text));
  const linkGround = solid ?? near;
  const highlights: readonly (readonly [string, string])[] = [
    ...(isPlainLook && colors.button === null ? [[look.highlight, look.highlightText] as const] : []),
    [text, near],
    [linkText, linkGround],
    [look.highlight, look.highlightText],
  ];
  const differs = ([color]: readonly [string, string]): boolean =>
    contrastOf(color, linkGround) >= 1.6 && contrastOf(color, near) >= 1.6;
  const [highlight, highlightInk] = highlights.find(differs) ?? [text, near];
  return {
    grounds,
    shades: onSheet ? [] : shades,
    image,
    sheet: onSheet ? look.ground : null,
    text,
    dim,
    edge: mixOf(text, near, 0.32),
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
