import * as z from "zod";
import { atMostVisible } from "../at-most-visible.ts";
import { Id, operation } from "../operation.ts";
import { videoStyleNames } from "../subtitles/video-styles.ts";
import { mostTagged, restorableDays, tagLimits } from "../values/limits.ts";
import { ScriptId } from "./script.ts";

/** Control characters, lone surrogates, and marks that change the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Compared without case, as NFC. */
export const TagName = atMostVisible(z.string().normalize("NFC").trim().min(1), tagLimits.longest).refine(
  (name) => visible.test(name) && !unprintable.test(name),
  { error: "must have a letter, number or sign, and no control characters" },
);

export const TagNames = z.array(TagName).max(tagLimits.perAccount);

const common = { section: "Library", access: "key" } as const;

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
  description: `Replaces the tags of one script; \`[]\` removes all. To add or remove some, use \`PATCH /scripts\`. A tag exists while a script has it, under the name that it got first; upper and lower case are the same. An account has at most ${tagLimits.perAccount} names.`,
  http: { method: "PATCH", path: "/scripts/{id}" },
  tools: [
    {
      name: "update_script",
      title: "Update script",
      description: `Tags, deletes or restores scripts, or makes videos (needs an API key).\nUse this tool when you need to:\n- add tags to scripts or remove some (add, remove): of one id, of up to ${mostTagged} ids, or of all that a search finds (query)\n- set the tags of one script; [] removes all\n- delete one (deleted: true) for ${restorableDays} days, or restore it (deleted: false)\n- make a subtitled video of one id (video: its style); call again for progress and address\nadd and remove leave all other tags. Costs nothing.`,
      input: z
        .strictObject({
          id: Id.optional(),
          ids: z.array(Id).min(1).max(mostTagged).optional(),
          query: z.string().min(1).max(500).optional().meta({ description: "Words, as in search_my_scripts." }),
          add: TagNames.optional(),
          remove: TagNames.optional(),
          tags: TagNames.optional(),
          deleted: z.boolean().optional(),
          video: z.enum(videoStyleNames).optional(),
        })
        .refine(({ id, ids, query }) => [id, ids, query].filter((one) => one !== undefined).length === 1, {
          error: "needs one of `id`, `ids` and `query`",
        })
        .refine(
          ({ add, remove, tags, deleted, video }) =>
            [add ?? remove, tags, deleted, video].filter((one) => one !== undefined).length === 1,
          { error: "needs either `add` and `remove`, or `tags`, or `deleted`, or `video`" },
        )
        .refine(({ id, tags, deleted, video }) => id !== undefined || (tags ?? deleted ?? video) === undefined, {
          error: "needs `id` for `tags`, `deleted` and `video`; use `add` and `remove` for many",
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
