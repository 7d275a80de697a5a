import type { BioContent } from "@reelscript/contract";
import type { Input } from "../../../api/operation-types.ts";
import { isRecord, isSame } from "./is-same.ts";

export type BioPatch = Omit<Input<"updateBioPage">, "ifRevision" | "dryRun">;

/**
 * The merge patch that makes `draft` of `base`: what differs and nothing else. Links that the base does not have go without
 * an id, because the service draws the ids.
 */
export function patchOf(base: BioContent, draft: BioContent): BioPatch {
  const known = new Set(base.links.map(({ id }) => id));
  const patch = (differing(base, draft) ?? {}) as BioPatch; // safe: parts of a content, as a patch has them
  if (!patch.links) return patch;
  return { ...patch, links: draft.links.map(({ id, ...link }) => (known.has(id) ? { id, ...link } : link)) };
}

/** `undefined` when nothing differs. */
function differing(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return undefined;
  if (!isRecord(before) || !isRecord(after)) return after;
  const parts = Object.keys(after).map((name) => [name, differing(before[name], after[name])] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}
