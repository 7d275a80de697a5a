import * as z from "zod";
import { operation } from "./operation.ts";

/** Characters of a transcript that a list shows. */
export const listedTranscriptLength = 10_000;

export const Script = z
  .object({
    id: z.string().meta({ description: "Stable id." }),
    reelUrl: z.url().meta({ description: "URL of the transcribed reel." }),
    account: z.string().optional().meta({ description: "Handle of the reel's account, without @." }),
    caption: z.string().optional().meta({ description: "Caption at transcription time." }),
    transcript: z.string().meta({ description: "May be truncated for very long reels." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "true when `transcript` is truncated in this response or the audio was cut off." }),
    language: z.string().optional().meta({ description: "BCP-47 code." }),
    views: z.int().min(0).optional().meta({ description: "View count at collection time." }),
    likes: z.int().min(0).optional().meta({ description: "Like count at collection time." }),
    comments: z.int().min(0).optional().meta({ description: "Comment count at collection time." }),
    engagementRate: z
      .number()
      .min(0)
      .optional()
      .meta({ description: "Percentage: (likes + comments) / views * 100, at collection time." }),
    postedAt: z.iso.datetime().optional().meta({ description: "When the reel was posted." }),
    transcribedAt: z.iso.datetime().optional().meta({ description: "When the transcript was created." }),
  })
  .meta({ id: "Script" });
export type Script = z.infer<typeof Script>;

const Query = z
  .string()
  .max(500)
  .meta({
    description:
      'Full-text search over transcript text and captions; "quoted words" match as a phrase. Omit to list all.',
    examples: ["hook"],
  });
const Account = z
  .string()
  .max(64)
  .regex(/^@?[A-Za-z0-9._]+$/, { error: "must be an account handle: letters, digits, dots and underscores" })
  .meta({ description: "Restrict to one account handle, without @." });
const Sort = z
  .enum(["views", "engagement", "date"])
  .default("date")
  .meta({ description: "views: highest first; engagement: highest engagement rate first; date: newest first." });
const Count = z.int().min(1).max(50).default(20).meta({ description: "How many scripts to return." });

const listing = { account: Account.optional(), sort: Sort, limit: Count };

export const searchMyScripts = operation({
  summary: "List and search the caller's scripts",
  description:
    "Returns the caller's own scripts: the reels transcribed over REST, MCP or the browser extension. Without parameters it lists the most recent. `total` counts all matches.",
  tag: "Library",
  access: "key",
  http: { method: "GET", path: "/scripts" },
  tools: [
    {
      name: "list_my_scripts",
      title: "List my scripts",
      description:
        "Lists the transcribed reels of the library, newest first (needs an API key).\nUse this tool when you need to:\n- see what was transcribed lately\n- list the reels of one account, or the most viewed or most engaging ones\nReturns at most 50 (default 20); narrow with account. To find words, use search_my_scripts. Costs nothing.",
      input: z.strictObject(listing),
      readOnly: true,
      openWorld: false,
    },
    {
      name: "search_my_scripts",
      title: "Search my scripts",
      description:
        'Full-text search over the transcripts and captions of the library (needs an API key).\nUse this tool when you need to:\n- find reels in which something is said or written\n- collect quotes on a topic\nAll words must occur (up to 64 of them); "quoted words" match as a phrase; the last word may be unfinished. Returns at most 50 (default 20); narrow with account. Costs nothing.',
      input: z.strictObject({ query: Query.min(1), ...listing }),
      readOnly: true,
      openWorld: false,
    },
  ],
  input: z.object({ query: Query.optional(), ...listing }),
  output: z
    .object({
      scripts: z.array(Script),
      total: z.int().min(0).meta({ description: "The count of all matches; may exceed the number returned." }),
    })
    .meta({ id: "ScriptList" }),
  errors: [],
  example: { query: "hook", sort: "views", limit: 5 },
});
