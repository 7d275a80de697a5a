import * as z from "zod";
import { atMostVisible } from "../at-most-visible.ts";
import { onOne, operation } from "../operation.ts";
import { savedSearchLimits } from "../values/limits.ts";
import { ScriptSearchInput } from "./search-my-scripts.ts";

/** One line, which a list shows. */
const Name = atMostVisible(z.string().normalize("NFC").trim().min(1), savedSearchLimits.longestName).refine(
  (name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name),
  { error: "must be one line" },
);

export const SavedSearch = z.object({
  id: z.string(),
  name: z.string(),
  search: ScriptSearchInput.partial(),
  createdAt: z.iso.datetime(),
});

const common = { section: "Library", access: "session" } as const;

export const listSavedSearches = operation({
  ...common,
  summary: "List the saved searches",
  description: "Lists the saved searches of the library in alphabetical order.",
  http: { method: "GET", path: "/saved-searches" },
  output: z.object({ searches: z.array(SavedSearch), limit: z.int() }),
});

export const saveSearch = operation({
  ...common,
  summary: "Save a search",
  description: `Gives a search of the library a name. One of the same name is replaced. An account keeps at most ${savedSearchLimits.perAccount}.`,
  http: { method: "POST", path: "/saved-searches" },
  input: z.strictObject({ name: Name, search: z.strictObject(ScriptSearchInput.partial().shape) }),
  output: SavedSearch,
  errors: ["limitReached"],
  reasons: ["savedSearchesUsed"],
  example: { name: "Hooks of November", search: { tag: "hooks", postedAfter: "2026-11-01" } },
});

export const deleteSavedSearch = operation({
  ...common,
  ...onOne("sea"),
  summary: "Delete a saved search",
  description: "Deletes the saved search. The scripts stay.",
  http: { method: "DELETE", path: "/saved-searches/{id}" },
});
