import type { BioContent } from "@reelscript/contract";
import { isRecord, socialPlatforms } from "@reelscript/contract/values";
import { isSame } from "./content.ts";
import type { Input } from "@reelscript/client/core";

/** Lists the differences, one entry for each change as an owner sees it: "Name", "“Winter workshop” is new". */
export function changesInWords(before: BioContent, after: BioContent): string[] {
  const was = fieldsOf(before);
  return [
    ...listChanges(before.links, after.links, {
      key: ({ id }) => id,
      name: ({ title }) => `“${title || "Untitled"}”`,
      order: "Order of links",
    }),
    ...listChanges(before.socials, after.socials, {
      key: ({ platform }) => platform,
      name: ({ platform }) => `Profile on ${socialPlatforms[platform].name}`,
      order: "Order of profiles",
    }),
    ...Object.entries(fieldsOf(after)).flatMap(([name, now]) => (isSame(was[name], now) ? [] : [name])),
  ];
}

const fieldsOf = ({ displayName, bio, avatarUrl, theme, seo }: BioContent): Readonly<Record<string, unknown>> => ({
  Name: displayName,
  Bio: bio,
  Portrait: avatarUrl,
  Look: theme.preset,
  Background: theme.background,
  "Style of links": theme.button.style,
  "Corners of links": theme.button.radius,
  "Color of text": theme.colors.text,
  "Color of links": theme.colors.button,
  "Color of text on links": theme.colors.buttonText,
  Font: theme.font,
  "Title for search": seo.title,
  "Description for search": seo.description,
  "Image for sharing": seo.imageUrl,
  "Search engines": [seo.noindex, seo.sitemap],
});

interface Naming<Item> {
  readonly key: (item: Item) => string;
  readonly name: (item: Item) => string;
  readonly order: string;
}

function listChanges<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { key, name, order }: Naming<Item>,
): string[] {
  const old = new Map(before.map((item) => [key(item), item]));
  const now = new Set(after.map(key));
  const stays = (item: Item): boolean => old.has(key(item)) && now.has(key(item));
  return [
    ...after.flatMap((item) => {
      const was = old.get(key(item));
      if (was === undefined) return [`${name(item)} is new`];
      return isSame(was, item) ? [] : [`${name(item)} changed`];
    }),
    ...before.filter((item) => !now.has(key(item))).map((item) => `${name(item)} is gone`),
    ...(isSame(before.filter(stays).map(key), after.filter(stays).map(key)) ? [] : [order]),
  ];
}

type BioPatch = Omit<Input<"updateBioPage">, "ifRevision" | "dryRun">;

/**
 * The merge patch that turns `base` into `draft`. Links that aren't in the base have no id, because the service generates ids.
 */
export function patchOf(base: BioContent, draft: BioContent): BioPatch {
  const publishedIds = new Set(base.links.map(({ id }) => id));
  const patch = (differing(base, draft) ?? {}) as BioPatch; // safe: parts of a content, as a patch has them
  if (!patch.links) return patch;
  return { ...patch, links: draft.links.map(({ id, ...link }) => (publishedIds.has(id) ? { id, ...link } : link)) };
}

function differing(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return undefined;
  if (!isRecord(before) || !isRecord(after)) return after;
  const parts = Object.keys(after).map((name) => [name, differing(before[name], after[name])] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}
