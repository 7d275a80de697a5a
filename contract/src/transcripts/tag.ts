import * as z from "zod";
import { Id, operation } from "../operation.ts";
import { mostDeleted, restorableDays, tagLimits } from "../values/limits.ts";
import { ScriptId } from "./script.ts";

/** Control characters, lone surrogates, and marks that change the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Compared without case, as NFC. */
export const TagName = z
  .string()
  .normalize("NFC")
  .trim()
  .min(1)
  .max(tagLimits.longest)
  .refine((name) => visible.test(name) && !unprintable.test(name), {
    error: "must have a letter, number or sign, and no control characters",
  });

const TagNames = z.array(TagName).max(tagLimits.perAccount);

const common = { tag: "Library", access: "key" } as const;

export const TagList = z
  .object({
    tags: z.array(z.object({ name: z.string(), scripts: z.int().min(1) })),
    limit: z.int().meta({ description: "Maximum number of tags per account." }),
  })
  .meta({ id: "TagList" });

export const listTags = operation({
  ...common,
  summary: "List the tags",
  description: "The tags that scripts of the library have, in alphabetical order, with how many have each.",
  http: { method: "GET", path: "/tags" },
  output: TagList,
  exampleOutput: { tags: [{ name: "hooks", scripts: 12 }], limit: tagLimits.perAccount },
});

export const setScriptTags = operation({
  ...common,
  summary: "Set the tags of a script",
  description: `Replaces the tags of one script; \`[]\` removes all. A tag exists while a script has it, under the name that it got first; upper and lower case are the same. An account has at most ${tagLimits.perAccount} names.`,
  http: { method: "PATCH", path: "/scripts/{id}" },
  tools: [
    {
      name: "update_script",
      title: "Update script",
      description: `Tags, deletes or restores a script (needs an API key).\nUse this tool when you need to:\n- set its tags; [] removes all\n- delete it (deleted: true) for ${restorableDays} days, or restore it (deleted: false)\nGive one of both. Costs nothing.`,
      input: z
        .strictObject({ id: Id, tags: TagNames.optional(), deleted: z.boolean().optional() })
        .refine(({ tags, deleted }) => (tags === undefined) !== (deleted === undefined), {
          error: "needs either `tags` or `deleted`",
        }),
      destructive: true,
      openWorld: false,
    },
  ],
  input: z.strictObject({ id: ScriptId, tags: TagNames }),
  output: z.object({ id: z.string(), tags: z.array(z.string()) }).meta({ id: "ScriptTags" }),
  errors: ["notFound", "limitReached"],
  reasons: ["tagsUsed"],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K", tags: ["hooks"] },
  exampleOutput: { id: "scr_4Tz8Qm1Lw0XcVb7K", tags: ["hooks"] },
});

export const tagScripts = operation({
  summary: "Tag several scripts",
  description: "Adds tags to scripts and removes others, in all of them or none; ids of no script are left out.",
  tag: "Library",
  access: "session",
  http: { method: "POST", path: "/script-tags" },
  input: z.strictObject({
    ids: z.array(Id).min(1).max(mostDeleted),
    add: TagNames.default([]),
    remove: TagNames.default([]),
  }),
  output: z.object({ scripts: z.int().min(0).meta({ description: "Number of the scripts that exist." }) }),
  errors: ["limitReached"],
  reasons: ["tagsUsed"],
  example: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"], add: ["hooks"] },
});
