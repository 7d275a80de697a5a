import * as z from "zod";
import { operation } from "../operation.ts";
import { Length } from "./script.ts";
import { mostDeleted } from "../values/most-deleted.ts";

export const listScriptAccounts = operation({
  summary: "List the accounts of the library",
  description: "The handles whose reels are in the library, most scripts first, and how many scripts there are in all.",
  tag: "Library",
  access: "session",
  http: { method: "GET", path: "/scripts/accounts" },
  input: z.object({}),
  output: z.object({
    accounts: z.array(z.object({ handle: z.string(), scripts: z.int().min(1) })),
    total: z.int().min(0).meta({ description: "Scripts of reels without a known account among them." }),
  }),
  errors: [],
  example: {},
});

export const countScriptKinds = operation({
  summary: "Count the scripts by language and length",
  description:
    "How many scripts of the library are of each language and length. Empty for a library of more than 1,000.",
  tag: "Library",
  access: "session",
  http: { method: "GET", path: "/scripts/kinds" },
  input: z.object({}),
  output: z.object({
    languages: z
      .array(z.object({ language: z.string(), scripts: z.int().min(1) }))
      .meta({ description: "Most first." }),
    lengths: z.array(z.object({ length: Length, scripts: z.int().min(1) })).meta({ description: "Shortest first." }),
  }),
  errors: [],
  example: {},
});

export const deleteScripts = operation({
  summary: "Delete several scripts",
  description:
    "Takes them out of the library, all or none; ids of no script are left out. Transcribe the reels again to restore them for free.",
  tag: "Library",
  access: "session",
  http: { method: "POST", path: "/script-deletions" },
  input: z.object({ ids: z.array(z.string().min(1).max(128)).min(1).max(mostDeleted) }),
  output: z.object({ ids: z.array(z.string()).meta({ description: "Those that were deleted." }) }),
  errors: [],
  example: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"] },
});

export const deleteScript = operation({
  summary: "Delete a script",
  description: "Takes it out of the library. Transcribe the reel again to restore it for free.",
  tag: "Library",
  access: "session",
  http: { method: "DELETE", path: "/scripts/{id}" },
  input: z.object({ id: z.string().min(1).max(128) }),
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});
