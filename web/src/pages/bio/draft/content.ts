import type { BioContent, BioPage } from "@reelscript/contract";
import { deepEqual } from "@tanstack/react-router";

export type BioLink = BioContent["links"][number];
export type Social = BioContent["socials"][number];
export type Theme = BioContent["theme"];

export const contentOf = ({
  displayName,
  bio,
  avatarUrl,
  links,
  socials,
  seo,
  theme,
}: Pick<BioPage, keyof BioContent>): BioContent => ({ displayName, bio, avatarUrl, links, socials, seo, theme });

/** True if two JSON values are equal, whatever the order of their fields. */
export const isSame = (one: unknown, other: unknown): boolean => deepEqual(one, other);

export interface SavedDraft {
  readonly revision: number;
  readonly base: BioContent;
  readonly draft: BioContent;
}

let linkCount = 0;

/** The id is only used in the draft; the service generates another one. */
export const newLink = (type: BioLink["type"]): BioLink => ({
  id: `new-${Date.now().toString(36)}-${(linkCount += 1)}`,
  type,
  title: "",
  url: type === "link" ? "" : null,
  thumbnailUrl: null,
  enabled: true,
  highlighted: false,
  startsAt: null,
  endsAt: null,
});

export const moveItem = <Item>(items: readonly Item[], from: number, to: number): Item[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1));

interface Span {
  readonly top: number;
  readonly height: number;
}

/**
 * The new position of the item at `from` after it was dragged by `distance`: past another item's middle, it takes that item's
 * position.
 */
export function positionAfterDrag(spans: readonly Span[], from: number, distance: number): number {
  const movedSpan = spans[from];
  if (movedSpan === undefined) return from;
  const top = movedSpan.top + distance;
  const bottom = top + movedSpan.height;
  let position = from;
  for (const [index, { top: start, height }] of spans.entries()) {
    const middle = start + height / 2;
    if (index > from && bottom > middle) position = index;
    if (index < from && top < middle) return index;
  }
  return position;
}
