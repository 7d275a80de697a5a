import {
  BioContent,
  bioLimits,
  isRecord,
  member,
  ServiceError,
  type operations,
  type BioChange,
} from "@reelscript/contract";
import type * as z from "zod";
import { readInput } from "../../run/schemas.ts";

type Update = z.output<typeof operations.updateBioPage.input>;
export type BioPatch = Omit<Update, "ifRevision" | "dryRun">;

/** The content after a patch; `formerLinks` are the ids of links that the page had. Throws `invalidRequest` naming the path of what cannot be. */
export function applyPatch(
  content: BioContent,
  patch: BioPatch,
  newLinkId: () => string,
  formerLinks: readonly string[] = [],
): BioContent {
  const knownLinkIds = new Set([...content.links.map(({ id }) => id), ...formerLinks]);
  const links = patch.links?.map(({ id, ...link }, index) => {
    if (id !== undefined && !knownLinkIds.has(id))
      throw new ServiceError(
        "invalidRequest",
        `\`links[${index}].id\`: the page has no link with this id, nor has a kept revision of it. Omit the id to add a new one.`,
      );
    return { id: id ?? newLinkId(), ...link };
  });
  const merged = readInput(BioContent, mergePatch(content, { ...patch, ...(links && { links }) }));
  const bytes = Buffer.byteLength(JSON.stringify(merged));
  if (bytes > bioLimits.contentBytes)
    throw new ServiceError(
      "invalidRequest",
      `The bio page would have ${bytes} bytes, and the maximum is ${bioLimits.contentBytes}. Shorten URLs or remove links.`,
      { status: 413 },
    );
  return merged;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A JSON merge patch as RFC 7396 says: objects merge, null removes, everything else replaces whole. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Differences by path, such as `links[3].url`, in the order of the page. A list element replaced by one with another id is one change. */
export function changesBetween(before: unknown, after: unknown, path = ""): BioChange[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => {
      const one = before[index];
      const other = after[index];
      const itemPath = `${path}[${index}]`;
      return member(one, "id") === member(other, "id")
        ? changesBetween(one, other, itemPath)
        : [changeOf(itemPath, one, other)];
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
