import * as z from "zod";
import { Id, operation } from "../operation.ts";
import { mostDeleted, mostTaggedBySearch } from "../values/limits.ts";
import { ScriptSearchInput, UnknownIds } from "./search-my-scripts.ts";
import { TagNames } from "./tag.ts";

export const tagScripts = operation({
  summary: "Tag several scripts",
  description: `Adds tags to scripts and removes others, in all of them or none; other tags stay. The scripts are those of \`ids\`, or the matches of \`search\`: at most ${mostTaggedBySearch.toLocaleString("en-US")}, otherwise nothing changes and you get 400.`,
  section: "Library",
  access: "key",
  http: { method: "PATCH", path: "/scripts" },
  input: z
    .strictObject({
      ids: z
        .array(Id)
        .min(1)
        .max(mostDeleted)
        .optional()
        .meta({ description: `Up to ${mostDeleted} script ids.` }),
      search: z
        .strictObject(ScriptSearchInput.omit({ sort: true }).shape)
        .optional()
        .meta({ description: "Filters of the list; `{}` is the whole library." }),
      add: TagNames.default([]),
      remove: TagNames.default([]),
    })
    .refine(({ ids, search }) => (ids === undefined) !== (search === undefined), {
      path: ["ids"],
      error: "give `ids` or `search`, and not both",
    }),
  output: z
    .object({
      scripts: z.int().min(0).meta({ description: "Number of the scripts that exist." }),
      unknownIds: UnknownIds.optional(),
    })
    .meta({ id: "TaggedScripts" }),
  errors: ["limitReached"],
  reasons: ["tagsUsed"],
  example: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"], add: ["hooks"] },
  exampleOutput: { scripts: 1 },
});
