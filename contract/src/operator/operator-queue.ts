import * as z from "zod";
import { Id, ofOperator, onOne, operation } from "../operation.ts";
import { Reason } from "./reason.ts";

const QueuedTranscription = z
  .object({
    id: z.string(),
    state: z.enum(["queued", "running", "failed"]),
    accountId: z.string().nullable().meta({ description: "Id of the account; null if it is gone." }),
    url: z.string().meta({ description: "Address of the reel." }),
    queuedAt: z.iso.datetime(),
    attempt: z.int().min(0),
    progress: z.number().min(0).max(1),
    resumeAt: z.iso.datetime().nullable().meta({
      description:
        "Time before which it isn't tried, because its platform or recognizer is away; null if it doesn't wait for that.",
    }),
    failure: z.string().nullable().meta({ description: "Code of the failure." }),
  })
  .meta({ id: "QueuedTranscription" });

export const listQueue = operation({
  ...ofOperator,
  summary: "List the queue",
  description:
    "Returns queued and running transcriptions, oldest first, or the failed ones among the last 10,000, newest first.",
  http: { method: "GET", path: "/admin/queue" },
  input: z.strictObject({
    state: z.enum(["open", "failed"]).default("open"),
    account: Id.optional().meta({ description: "Id of an account, to list only its transcriptions." }),
    cursor: Id.optional().meta({ description: "The `nextCursor` of the previous page." }),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  output: z.object({
    length: z.int().min(0).meta({ description: "Number of queued and running transcriptions of all accounts." }),
    drainedSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time since which workers claim nothing; null if they may." }),
    transcriptions: z.array(QueuedTranscription),
    nextCursor: z.string().nullable(),
  }),
  example: { state: "open" },
});

const change = {
  ...ofOperator,
  errors: ["notFound" as const],
};

export const retryQueued = operation({
  ...change,
  summary: "Retry a transcription",
  description:
    "Lets workers claim a transcription that waits for an outage, or starts a failed one again for the account that requested it.",
  http: { method: "POST", path: "/admin/queue/{id}/retry" },
  input: z.strictObject({ id: Id, reason: Reason }),
  output: z.object({
    id: z.string(),
    started: z
      .boolean()
      .meta({ description: "True if a new transcription was started; false if the queued one may run now." }),
  }),
  errors: ["notFound", "limitReached", "inProgress"],
  example: { id: "trn_4Tz8Qm1Lw0XcVb7K", reason: "the platform is back" },
});

export const cancelQueued = operation({
  ...change,
  summary: "Cancel a transcription",
  description: "Ends a queued or running transcription, and returns its unit.",
  http: { method: "POST", path: "/admin/queue/{id}/cancel" },
  input: z.strictObject({ id: Id, reason: Reason }),
  output: onOne("trn").output,
  example: { id: "trn_4Tz8Qm1Lw0XcVb7K", reason: "it was requested by mistake" },
});

export const drainQueue = operation({
  ...change,
  summary: "Drain the queue",
  description: "Workers finish their transcriptions and claim no more until the queue is resumed.",
  http: { method: "POST", path: "/admin/queue/drain" },
  input: z.strictObject({ reason: Reason }),
  output: z.object({ isNew: z.boolean().meta({ description: "False if the queue was drained already." }) }),
  example: { reason: "before an upgrade" },
});

export const resumeQueue = operation({
  ...change,
  summary: "Resume the queue",
  description: "Lets workers claim transcriptions again.",
  http: { method: "POST", path: "/admin/queue/resume" },
  input: z.strictObject({ reason: Reason }),
  output: z.object({ isNew: z.boolean().meta({ description: "False if the queue wasn't drained." }) }),
  example: { reason: "after an upgrade" },
});
