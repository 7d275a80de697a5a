import type { BioChange } from "@reelscript/contract";

/**
 * What differs, by path and in the order of the page, such as `links[3].url`. An element of a list that made way for one
 * of another id is one change.
 */
export function changesBetween(before: unknown, after: unknown, path = ""): BioChange[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => {
      const [one, other]: unknown[] = [before[index], after[index]];
      const place = `${path}[${index}]`;
      return idOf(one) === idOf(other) ? changesBetween(one, other, place) : [changeOf(place, one, other)];
    }).flat();
  }
  if (!isRecord(before) || !isRecord(after)) return [changeOf(path, before, after)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    changesBetween(before[name], after[name], path === "" ? name : `${path}.${name}`),
  );
}

const changeOf = (path: string, before: unknown, after: unknown): BioChange => ({
  path,
  before: before ?? null,
  after: after ?? null,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (value: unknown): unknown => (isRecord(value) ? value["id"] : undefined);
