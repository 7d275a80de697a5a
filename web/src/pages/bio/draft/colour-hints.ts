import { bioPresets, contrastOf, contrastProblem, mixOf, readableGround } from "@reelscript/contract/values";
import type { Theme } from "./content.ts";
import { isHexColour } from "./problems-of.ts";

export interface ColourHint {
  /** "Too pale for its text: 1.5 to 1, needs 4.5." */
  readonly message: string;
  /** The nearest colour that can be read. */
  readonly better: string | undefined;
}

type ColourName = keyof Theme["colors"];

/** Where the owner's own colours cannot be read. The page itself takes black or white there. */
export function colourHints({ preset, background, button, colors }: Theme): Partial<Record<ColourName, ColourHint>> {
  const look = bioPresets[preset];
  const [text, link, linkText] = [colors.text, colors.button, colors.buttonText].map((colour) =>
    colour !== null && isHexColour(colour) ? colour : undefined,
  );
  const grounds = background === null || background.type === "image" ? [look.ground] : background.value.split(",");
  const ground =
    grounds.filter(isHexColour).toSorted((one, other) => nearness(one, other, text ?? look.text))[0] ?? look.ground;
  const fills = { fill: link ?? look.link, soft: mixOf(link ?? text ?? look.text, ground, 0.16), outline: ground };
  const fill = fills[button.style];
  const ink = linkText ?? (link === undefined ? look.linkText : (text ?? look.text));
  const linkIsAtFault = link !== undefined && button.style === "fill";
  const hints: Partial<Record<ColourName, ColourHint | undefined>> = {
    text: text === undefined ? undefined : hintOf(text, ground, "what is behind it"),
    button: linkIsAtFault ? hintOf(link, ink, "its text") : undefined,
    buttonText: linkText === undefined || linkIsAtFault ? undefined : hintOf(linkText, fill, "what is behind it"),
  };
  return hints as Partial<Record<ColourName, ColourHint>>; // safe: whoever reads it takes none for none
}

const nearness = (one: string, other: string, ink: string): number => contrastOf(one, ink) - contrastOf(other, ink);

function hintOf(colour: string, against: string, place: string): ColourHint | undefined {
  const told = contrastProblem(colour, against)?.replace(/ Try #\w+\.$/, "");
  if (told === undefined) return undefined;
  return { message: told.replace("its text", place), better: readableGround(colour, against) };
}
