import { call } from "../../../api/call.ts";
import type { Input } from "../../../api/operation-types.ts";

/** What may be selected together; an export reads each of them. */
export const mostSelected = 1_000;

/** Ids of all that a search finds, up to `mostSelected`. */
export async function readFound(search: Input<"searchMyScripts">): Promise<readonly string[]> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await call("searchMyScripts", { ...search, limit: 50, ...(cursor !== undefined && { cursor }) });
    for (const { id } of page.scripts) ids.add(id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && ids.size < mostSelected);
  return [...ids].slice(0, mostSelected);
}
