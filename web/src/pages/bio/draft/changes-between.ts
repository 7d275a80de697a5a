import type { BioContent } from "@reelscript/contract";
import { platforms } from "../platforms.ts";
import { isSame } from "./is-same.ts";

/** What differs, one entry for each thing that its owner would call a change: "Name", "“Winter workshop” is new". */
export function changesBetween(before: BioContent, after: BioContent): string[] {
  const fields: readonly (readonly [string, unknown, unknown])[] = [
    ["Name", before.displayName, after.displayName],
    ["Bio", before.bio, after.bio],
    ["Portrait", before.avatarUrl, after.avatarUrl],
    ["Look", before.theme.preset, after.theme.preset],
    ["Background", before.theme.background, after.theme.background],
    ["Style of links", before.theme.button.style, after.theme.button.style],
    ["Corners of links", before.theme.button.radius, after.theme.button.radius],
    ["Color of text", before.theme.colors.text, after.theme.colors.text],
    ["Color of links", before.theme.colors.button, after.theme.colors.button],
    ["Color of text on links", before.theme.colors.buttonText, after.theme.colors.buttonText],
    ["Font", before.theme.font, after.theme.font],
    ["Title for search", before.seo.title, after.seo.title],
    ["Description for search", before.seo.description, after.seo.description],
    ["Image for sharing", before.seo.imageUrl, after.seo.imageUrl],
    ["Search engines", before.seo.noindex, after.seo.noindex],
    ["Sitemap", before.seo.sitemap, after.seo.sitemap],
  ];
  return [
    ...listChanges(before.links, after.links, {
      key: ({ id }) => id,
      name: ({ title }) => `“${title || "Untitled"}”`,
      order: "Order of links",
    }),
    ...listChanges(before.socials, after.socials, {
      key: ({ platform }) => platform,
      name: ({ platform }) => `Profile on ${platforms[platform].name}`,
      order: "Order of profiles",
    }),
    ...fields.flatMap(([name, one, other]) => (isSame(one, other) ? [] : [name])),
  ];
}

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
