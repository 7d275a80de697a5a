import type { operations } from "@reelscript/contract";
import type * as z from "zod";
import type { ScriptSearch } from "../../ports.ts";

/** The part of the library that a caller asks for, and its order. */
export type ScriptFilter = z.output<(typeof operations)["linkScriptExport"]["input"]>;

const momentOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

/** A search as the store takes it; a date is the midnight with which it begins, in UTC. */
export const searchOf = (filter: ScriptFilter): Omit<ScriptSearch, "limit" | "after"> => ({
  query: filter.query,
  handle: filter.account,
  platform: filter.platform,
  language: filter.language,
  length: filter.length,
  tag: filter.tag,
  postedAfter: momentOf(filter.postedAfter),
  postedBefore: momentOf(filter.postedBefore),
  transcribedAfter: momentOf(filter.transcribedAfter),
  transcribedBefore: momentOf(filter.transcribedBefore),
  sort: filter.sort,
});
