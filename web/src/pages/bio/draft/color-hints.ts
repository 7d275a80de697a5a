import { bioPresets, contrastOf, contrastProblem, mixOf, readableGround } from "@reelscript/contract/values";
import type { Theme } from "./content.ts";
import { isHexColor } from "./problems-of.ts";

export interface ColorHint {
  /** "Too little contrast (1.5:1; needs 4.5:1)." */
  readonly message: string;
  readonly better: string | undefined;
}

type ColorName = keyof Theme["colors"];

/** Where the owner's own colors cannot be read. The page itself takes black or white there. */
export function colorHints({ preset, background, button, colors }: Theme): Partial<Record<ColorName, ColorHint>> {
  const look = bioPresets[preset];
  const [text, link, linkText] = [colors.text, colors.button, colors.buttonText].map((color) =>
    color !== null && isHexColor(color) ? color : undefined,
  );
  const grounds = background === null || background.type === "image" ? [look.ground] : background.value.split(",");
  const ground =
    grounds.filter(isHexColor).toSorted((one, other) => nearness(one, other, text ?? look.text))[0] ?? look.ground;
  const filled = link ?? look.link;
  const fills = { look: filled, fill: filled, soft: mixOf(link ?? text ?? look.text, ground, 0.16), outline: ground };
  const fill = fills[button.style];
  const ink = linkText ?? (link === undefined ? look.linkText : (text ?? look.text));
  const linkIsAtFault = link !== undefined && (button.style === "look" || button.style === "fill");
  const hints: Partial<Record<ColorName, ColorHint | undefined>> = {
    text: text === undefined ? undefined : hintOf(text, ground),
    button: linkIsAtFault ? hintOf(link, ink) : undefined,
    buttonText: linkText === undefined || linkIsAtFault ? undefined : hintOf(linkText, fill),
  };
  return hints as Partial<Record<ColorName, ColorHint>>; // safe: whoever reads it takes none for none
}

const nearness = (one: string, other: string, ink: string): number => contrastOf(one, ink) - contrastOf(other, ink);

function hintOf(color: string, against: string): ColorHint | undefined {
  const told = contrastProblem(color, against)?.replace(/ Try #\w+\.$/, "");
  if (told === undefined) return undefined;
  return { message: told, better: readableGround(color, against) };
}
