import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { Id, operation } from "../operation.ts";
import { Quota } from "../account/usage.ts";
import { csv, type CsvColumns } from "../values/text/csv.ts";
import { longestAddress } from "../values/links/read-address.ts";
import { batchDays, fileLimits, mostBatchLinks, mostOpenBatches } from "../values/limits.ts";
import { Script } from "./script.ts";
import { followingIsFree, LanguageHint, scriptId, Transcription } from "./transcription.ts";

const linkStates = ["waiting", "queued", "running", "done", "failed", "canceled"] as const;

const BatchLink = z
  .object({
    url: z.string().meta({ description: "The link as you sent it, or the id of a file." }),
    fileId: z.string().optional().meta({ description: "Id of the file." }),
    title: z.string().optional(),
    reelUrl: z.url().optional().meta({ description: "Canonical URL of the reel, once it is known." }),
    status: z.enum(linkStates).meta({ description: "State of the link; `waiting` means that its work has not begun." }),
    progress: z.number().min(0).max(1).optional().meta({ description: "Share of the work, while it is under way." }),
    cached: z
      .literal(true)
      .optional()
      .meta({ description: "Whether the reel was already transcribed, so that it's free." }),
    transcriptionId: z.string().optional(),
    scriptId,
    hook: Script.shape.hook,
    error: Transcription.shape.error,
  })
  .meta({ id: "BatchLink" });
export type BatchLink = z.infer<typeof BatchLink>;

const count = z.int().min(0);

const BatchCounts = z.object({
  total: count,
  waiting: count,
  underWay: count.meta({ description: "Number of links that are queued or running." }),
  done: count,
  failed: count,
  canceled: count,
  retryable: count.meta({ description: "Failed and canceled links that a retry would start again." }),
  duplicates: count.meta({ description: "Links to a reel already in the batch; we skip them." }),
});
export type BatchCounts = z.infer<typeof BatchCounts>;

const listedShape = {
  id: z.string().meta({ description: "Id of the batch, which never changes." }),
  status: z.enum(["open", "finished"]),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().optional(),
  counts: BatchCounts,
  waitingFor: z
    .enum(["rateLimit", "quota", "queue", "platform"])
    .optional()
    .meta({ description: "Reason why the batch's next links wait." }),
  continuesAt: z.iso
    .datetime()
    .optional()
    .meta({ description: "Time at which the hourly limit allows the next link." }),
  secondsLeft: count.optional().meta({
    description:
      "Estimate of the remaining seconds: at the speed of the batch, or, before two reels are done, of the latest transcriptions. Absent while links must wait.",
  }),
};

const ListedBatch = z.object(listedShape).meta({ id: "ListedBatch" });
export type ListedBatch = z.infer<typeof ListedBatch>;

export const Batch = z
  .object({
    ...listedShape,
    links: z.array(BatchLink).meta({ description: "Links in the order in which they were sent." }),
  })
  .meta({ id: "Batch" });
export type Batch = z.infer<typeof Batch>;

const BatchEstimate = z.object({
  reels: count.meta({ description: "Number of different reels and files." }),
  duplicates: count,
  notReels: count,
  shareLinks: count.meta({
    description: "Short links that we can't resolve yet; counted as new.",
  }),
  cached: count.meta({ description: "Reels transcribed before, which are free." }),
  fresh: count.meta({ description: "New reels and files; a reel costs 1 unit if it has speech." }),
  fit: count.meta({ description: "Links that fit your quota." }),
  mostTranscriptions: count.optional().meta({ description: "Most units that it may use." }),
  usage: Quota.meta({ description: "Quota before the batch." }),
});
export type BatchEstimate = z.infer<typeof BatchEstimate>;

const exampleListed = {
  id: "bat_4Tz8Qm1Lw0XcVb7K",
  status: "open",
  createdAt: "2026-11-20T09:59:50.000Z",
  counts: { total: 15, waiting: 7, underWay: 2, done: 6, failed: 0, canceled: 0, retryable: 0, duplicates: 1 },
  secondsLeft: 120,
} satisfies ListedBatch;

const exampleBatch = {
  id: exampleListed.id,
  status: "open",
  createdAt: exampleListed.createdAt,
  counts: exampleListed.counts,
  secondsLeft: exampleListed.secondsLeft,
  links: [
    {
      url: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
      reelUrl: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
      status: "done",
      scriptId: "scr_4Tz8Qm1Lw0XcVb7K",
      hook: "You don't need a better grinder.",
    },
  ],
} satisfies Batch;

const common = { section: "Transcripts", access: "key" } as const;

const onBatch = {
  ...common,
  input: z.strictObject({ id: Id.meta({ description: "Id of a batch." }) }),
  output: Batch,
  errors: ["notFound" as const],
  example: { id: "bat_4Tz8Qm1Lw0XcVb7K" },
  exampleOutput: exampleBatch,
};

export const createBatch = operation({
  ...common,
  summary: "Transcribe a batch of reels",
  description: [
    `Takes up to ${mostBatchLinks} links and answers immediately; the batch belongs to the account and continues without the caller. Each reel costs what it costs alone, and fresh ones count against the hourly limit of transcriptions one by one: those beyond it wait in the batch. Those beyond the quota fail with \`limitReached\`.`,
    "`files` takes ids of your own files, also while they are sent.",
    "Sent again while the batch is open, the same links get that batch.",
    "`dryRun=true` changes nothing and says what the batch would cost.",
    `At most ${mostOpenBatches} batches of an account are open at a time. \`batch.finished\` is sent to webhooks.`,
  ].join("\n\n"),
  http: {
    method: "POST",
    path: "/transcriptions",
    query: ["dryRun"],
    idempotent: true,
    maxBodyBytes: 256 * 1024,
    followed: { by: "getBatch", id: "id" },
  },
  input: z.strictObject({
    urls: z
      .array(z.string().min(1).max(longestAddress))
      .min(1)
      .max(mostBatchLinks)
      .optional()
      .meta({ description: `Up to ${mostBatchLinks} links of public reels. Send links, files or both.` }),
    files: z
      .array(Id)
      .min(1)
      .max(fileLimits.openAtATime)
      .optional()
      .meta({ description: `Up to ${fileLimits.openAtATime} ids of your own files.` }),
    languageHint: LanguageHint.optional(),
    dryRun: z.boolean().default(false).meta({ description: "Estimates what the batch would do, without starting it." }),
  }),
  output: z
    .object({
      ...Batch.shape,
      id: z.string().optional().meta({ description: "Id of the batch; absent in a dry run." }),
      estimate: BatchEstimate.meta({ description: "Estimate from the time when the batch was sent." }),
    })
    .meta({ id: "BatchStart" }),
  errors: ["notFound"],
  reasons: ["tooManyBatches"],
  example: { urls: ["https://www.instagram.com/reel/DLlGZiCOBQ0/"], dryRun: true },
  exampleOutput: {
    id: exampleBatch.id,
    status: exampleBatch.status,
    createdAt: exampleBatch.createdAt,
    counts: exampleBatch.counts,
    links: exampleBatch.links,
    estimate: {
      reels: 15,
      duplicates: 1,
      notReels: 0,
      shareLinks: 0,
      cached: 4,
      fresh: 11,
      fit: 11,
      usage: { used: 12, limit: 250 },
    },
  },
});

const linkColumns: CsvColumns<BatchLink> = [
  ["url", ({ url }) => url],
  ["reel_url", ({ reelUrl }) => reelUrl],
  ["status", ({ status }) => status],
  ["cached", ({ cached }) => (cached ? "true" : undefined)],
  ["script_id", ({ scriptId: id }) => id],
  ["transcription_id", ({ transcriptionId }) => transcriptionId],
  ["error_code", ({ error }) => error?.code],
  ["error_reason", ({ error }) => error?.reason],
  ["error_message", ({ error }) => error?.message],
  // New columns come last, because programs may read by position.
  ["hook", ({ hook }) => hook],
  ["file_id", ({ fileId }) => fileId],
  ["title", ({ title }) => title],
];

export const getBatch = operation({
  ...onBatch,
  summary: "Follow a batch",
  description: [
    `Returns the state of each link. We keep batches for ${batchDays} days; the scripts stay.`,
    followingIsFree,
    "`Accept: text/event-stream` gets the same JSON as server-sent events: `progress` at each change, one `finished` at the end, as for a transcription.",
  ].join("\n\n"),
  http: {
    method: "GET",
    path: "/batches/{id}",
    events: true,
    formats: {
      parameter: "format",
      description: "`csv` returns a row for each link as text/csv.",
      isUntyped: true,
      forms: { csv: { type: "text/csv", write: ({ links }: Batch) => csv(linkColumns, links) } },
      fileName: ({ id }) => id,
    },
  },
  isFollowing: true,
  reasons: ["tooManyStreams"],
});

export const listBatches = operation({
  ...common,
  summary: "List the batches",
  description: `The account's batches of the last ${batchDays} days, newest first, without their links.`,
  http: { method: "GET", path: "/batches" },
  input: z.object({
    status: z.enum(["open", "finished"]).optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor: Cursor.optional(),
  }),
  output: z.object({ batches: z.array(ListedBatch), nextCursor: NextCursor }).meta({ id: "BatchList" }),
  example: { status: "open" },
  exampleOutput: { batches: [exampleListed] },
});

export const retryBatch = operation({
  ...onBatch,
  summary: "Retry the failed links of a batch",
  description:
    "Restarts failed and canceled links that can work now. Links that aren't reels, deleted reels and reels without recognizable speech stay failed, and so do files: send them again.",
  http: { method: "POST", path: "/batches/{id}/retry" },
  reasons: ["tooManyBatches"],
});

export const cancelBatch = operation({
  ...onBatch,
  summary: "Cancel a batch",
  description:
    "Cancels the links that haven't started, also those that are queued, which aren't charged. Running transcriptions finish, and so do queued ones that another open batch or a single call of yours requested. Files that aren't transcribed yet are deleted.",
  http: { method: "DELETE", path: "/batches/{id}" },
});
