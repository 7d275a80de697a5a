import { createHash } from "node:crypto";
import { cutText, readableInk, type BioContent } from "@reelscript/contract";
import { looks } from "./looks.ts";
import { paletteOf } from "./palette-of.ts";
import { portraitOf } from "./page-parts.ts";

export type ShareCard = ReturnType<typeof shareCardOf>;

/** Rises when the same card is drawn differently. */
const drawing = 1;
const longestAbout = 140;

/** The content of the picture that chats show for a link to a page. */
export function shareCardOf({ displayName, bio, seo, theme }: BioContent, handle: string) {
  const palette = paletteOf(theme);
  const ground = palette.sheet ?? palette.grounds[0];
  return {
    preset: theme.preset,
    name: displayName || `@${handle}`,
    handle,
    /** One line or two; may be empty. */
    about: shortened((seo.description || bio || "").replaceAll(/\s+/g, " ").trim()),
    ground,
    text: readableInk(ground, palette.text),
    dim: readableInk(ground, palette.dim),
    /** Color of the texture. */
    shade: palette.shades[0] ?? ground,
    accent: palette.highlight,
    /** SVG. */
    portrait: String(portraitOf(handle, looks[theme.preset].portrait)),
  };
}

/** A tag of everything on the card, so that clients may cache the card forever. */
export const shareCardTag = (card: ShareCard): string =>
  createHash("sha256")
    .update(JSON.stringify([drawing, card]))
    .digest("base64url")
    .slice(0, 16);

export const shareCardPath = (card: ShareCard): string => `/@${card.handle}/card-${shareCardTag(card)}.jpg`;

function shortened(text: string): string {
  if (text.length <= longestAbout) return text;
  const cut = cutText(text, longestAbout);
  const space = cut.lastIndexOf(" ");
  return `${(space > longestAbout / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
