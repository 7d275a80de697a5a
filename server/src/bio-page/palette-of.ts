import { contrastOf, leastContrast, mixOf, readableInk, type BioContent } from "@reelscript/contract";
import { imageFile } from "./image-file.ts";
import { looks } from "./looks.ts";

export type Palette = ReturnType<typeof paletteOf>;

/** The colors of one page, in hex. Text is always readable on its background, whatever colors the owner chose. */
export function paletteOf({ preset, background, button, colors }: BioContent["theme"]) {
  const look = looks[preset];
  const shades = background === null ? look.shades : [];
  const isImage = background?.type === "image";
  const image = isImage ? imageFile(background.value, ".webp") : null;
  const grounds = groundsOf(isImage ? look.ground : (background?.value ?? look.ground));
  const ink = readableInk(grounds, colors.text ?? look.text);
  const onSheet = image !== null || grounds.some((ground) => contrastOf(ground, ink) < leastContrast);
  // Without the owner's colors the look applies as a whole.
  const own = background === null && colors.text === null;

  const behind = onSheet ? [look.ground] : [...grounds, ...shades];
  const [near = look.ground] = behind;
  const text = readableInk(behind, colors.text ?? look.text);
  const dim = colors.text === null ? readableInk(behind, own || onSheet ? look.dim : text) : text;

  const filled = colors.button ?? (own || onSheet ? look.link : mixOf(text, near, 0.09));
  const solid = {
    look: filled,
    fill: filled,
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
  const differs = ([color]: readonly [string, string]): boolean =>
    contrastOf(color, shown) >= 1.6 && contrastOf(color, near) >= 1.6;
  const [highlight, highlightInk] = highlights.find(differs) ?? [text, near];
  return {
    grounds,
    /** Colors that the texture paints behind text. Empty if there is no texture. */
    shades: onSheet ? [] : shades,
    /** A path that needs no escaping in CSS. */
    image,
    /** A panel behind the content when no text color is readable on the whole background; otherwise null. */
    sheet: onSheet ? look.ground : null,
    text,
    dim,
    /** The color of lines and borders. */
    edge: mixOf(text, near, 0.32),
    /** null makes the links transparent. */
    link: solid,
    linkText,
    linkEdge: solid === null ? (colors.button ?? text) : null,
    highlight,
    highlightText: readableInk(highlight, highlightInk),
    /** The color of the name, on a strip in the color `text`. */
    nameText: readableInk(text, near),
  };
}

/** Behind everything: one color, or the two ends of a gradient. */
function groundsOf(value: string): readonly [string] | readonly [string, string] {
  const [first = value, second] = value.split(",");
  return second === undefined ? [first] : [first, second];
}
