import { BioContent, bioLimits, ServiceError, type operations } from "@reelscript/contract";
import type * as z from "zod";
import { readInput } from "../../run/read-input.ts";
import { mergePatch } from "./merge-patch.ts";

type Update = z.output<typeof operations.updateBioPage.input>;
export type BioPatch = Omit<Update, "ifRevision" | "dryRun">;

/** The content after a patch; `formerLinks` are the ids of links that the page had. Throws `invalidRequest` naming the path of what cannot be. */
export function applyPatch(
  content: BioContent,
  patch: BioPatch,
  newLinkId: () => string,
  formerLinks: readonly string[] = [],
): BioContent {
  const known = new Set([...content.links.map(({ id }) => id), ...formerLinks]);
  const links = patch.links?.map(({ id, ...link }, index) => {
    if (id !== undefined && !known.has(id))
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
