import { createHash } from "node:crypto";
import { cutText, readableInk, type BioContent } from "@reelscript/contract";
import { hostedImageId } from "@reelscript/contract/values";
import { looks } from "./looks.ts";
import { paletteOf } from "./palette-of.ts";
import { portraitOf } from "./page-parts.ts";

/** The content of the picture that chats show for a link to a page. Colors are hex, six digits. */
export interface ShareCard {
  readonly preset: BioContent["theme"]["preset"];
  readonly name: string;
  readonly handle: string;
  /** One line or two; may be empty. */
  readonly about: string;
  readonly ground: string;
  readonly text: string;
  readonly dim: string;
  /** Color of the texture. */
  readonly shade: string;
  readonly accent: string;
  /** Id of the uploaded portrait; `undefined` without one. */
  readonly picture: string | undefined;
  /** SVG, for pages without a portrait. */
  readonly portrait: string;
}

/** Raise this when the same card is drawn differently. */
const drawing = 1;
const longestAbout = 140;

export function shareCardOf({ displayName, bio, avatarUrl, seo, theme }: BioContent, handle: string): ShareCard {
  const palette = paletteOf(theme);
  const ground = palette.sheet ?? palette.grounds[0];
  return {
    preset: theme.preset,
    name: displayName || `@${handle}`,
    handle,
    about: shortened((seo.description || bio || "").replaceAll(/\s+/g, " ").trim()),
    ground,
    text: readableInk(ground, palette.text),
    dim: readableInk(ground, palette.dim),
    shade: palette.shades[0] ?? ground,
    accent: palette.highlight,
    picture: avatarUrl === null ? undefined : hostedImageId(avatarUrl),
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
