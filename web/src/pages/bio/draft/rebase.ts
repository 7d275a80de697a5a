import type { BioContent } from "@reelscript/contract";
import type { BioLink } from "./content.ts";
import { isRecord, isSame } from "./is-same.ts";

/**
 * What was changed between `base` and `mine`, on top of `theirs`. Where both changed the same field, mine stays. A link
 * that one side deleted stays deleted unless the other side changed it.
 */
export function rebase(base: BioContent, mine: BioContent, theirs: BioContent): BioContent {
  const merged = merge(base, mine, theirs) as BioContent; // safe: every field is of one of the three
  return { ...merged, links: mergeLinks(base.links, mine.links, theirs.links) };
}

function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(base, mine)) return theirs;
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) return mine;
  return Object.fromEntries(Object.keys(mine).map((name) => [name, merge(base[name], mine[name], theirs[name])]));
}

function mergeLinks(base: readonly BioLink[], mine: readonly BioLink[], theirs: readonly BioLink[]): BioLink[] {
  if (isSame(base, mine)) return [...theirs];
  if (isSame(base, theirs)) return [...mine];
  const before = new Map(base.map((link) => [link.id, link]));
  const other = new Map(theirs.map((link) => [link.id, link]));
  const own = new Set(mine.map(({ id }) => id));
  const kept = mine.flatMap((link): BioLink[] => {
    const [old, now] = [before.get(link.id), other.get(link.id)];
    if (old === undefined) return [link];
    if (now === undefined) return isSame(old, link) ? [] : [link];
    return [merge(old, link, now) as BioLink]; // safe: three of the same link
  });
  const added = theirs.filter(({ id }) => !own.has(id) && !isSame(before.get(id), other.get(id)));
  return [...kept, ...added];
}
