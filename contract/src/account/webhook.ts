import * as z from "zod";
import { Id, onOne, operation } from "../operation.ts";
import { trimAddress } from "../values/links/addresses.ts";
import { webhooksPerAccount } from "../values/plans.ts";

export const webhookEvents = ["transcription.done", "transcription.failed", "batch.finished", "webhook.test"] as const;

export const webhookProblems = ["status", "timeout", "unreachable", "refused"] as const;

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    createdAt: z.iso.datetime(),
    failingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time of the first failure since the last delivery; null without one." }),
    disabledAt: z.iso.datetime().nullable().meta({
      description:
        "Time at which the endpoint was disabled, so that only tests are sent: after 3 days of failures, a 410, or the end of the key that created or enabled it.",
    }),
    formerSecretUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time until which the former secret also signs." }),
    last: z
      .object({
        at: z.iso.datetime(),
        event: z.enum(webhookEvents),
        status: z.int().nullable().meta({ description: "The HTTP status; null without a response." }),
        problem: z.enum(webhookProblems).nullable().meta({
          description: "Problem of the delivery: null if it was delivered, `refused` if the URL is not allowed.",
        }),
      })
      .nullable()
      .meta({ description: "Last attempt to deliver an event; null before the first." }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

const WebhookDelivery = z
  .object({
    id: z.string().meta({ description: "The delivery's `webhook-id`." }),
    event: z.enum(webhookEvents),
    transcriptionId: z.string().nullable(),
    batchId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    attempts: z.int(),
    attemptedAt: z.iso.datetime().nullable(),
    status: z.int().nullable(),
    problem: z.enum(webhookProblems).nullable(),
    nextAttemptAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const timestamp = z.iso.datetime().meta({ description: "Time of the event." });

export const TranscriptionEvent = z
  .object({
    type: z.enum(["transcription.done", "transcription.failed"]),
    timestamp,
    data: z.object({
      transcriptionId: z.string(),
      status: z.enum(["done", "failed"]),
      reelUrl: z.string(),
      platform: z.string().optional(),
      scriptId: z.string().optional(),
      translation: z
        .object({
          language: z.literal("en"),
          status: z.enum(["inProgress", "done", "failed"]),
          byMachine: z.literal(true),
        })
        .optional(),
      error: z.object({ code: z.string(), reason: z.string().optional() }).optional(),
    }),
  })
  .meta({ id: "TranscriptionEvent" });
export const BatchEvent = z
  .object({
    type: z.literal("batch.finished"),
    timestamp,
    data: z.object({
      batchId: z.string(),
      total: z.int(),
      done: z.int(),
      failed: z.int(),
      canceled: z.int(),
    }),
  })
  .meta({ id: "BatchEvent" });
export const TestEvent = z
  .object({ type: z.literal("webhook.test"), timestamp, data: z.object({}) })
  .meta({ id: "TestEvent" });
export type WebhookPayload =
  | z.infer<typeof TranscriptionEvent>
  | z.infer<typeof BatchEvent>
  | z.infer<typeof TestEvent>;

export const formerSecretHours = 24;
export const listedDeliveries = 50;
export const redeliveriesPerMinute = 20;

const common = { section: "Webhooks", access: "key" } as const;
const ofOne = { ...common, ...onOne("whk") };

const exampleWebhook = {
  id: ofOne.example.id,
  url: "https://example.com/hooks/reelscript",
  createdAt: "2026-11-20T10:00:00.000Z",
  failingSince: null,
  disabledAt: null,
  formerSecretUntil: null,
  last: null,
};
const exampleWithSecret = { webhook: exampleWebhook, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3vJk0bX5tYA=" };

export const listWebhooks = operation({
  ...common,
  summary: "List the webhook endpoints",
  description: "Lists the endpoints, oldest first.",
  http: { method: "GET", path: "/webhooks" },
  output: z.object({ webhooks: z.array(Webhook), limit: z.int() }),
  exampleOutput: { webhooks: [], limit: webhooksPerAccount },
});

const WithSecret = z.object({
  webhook: Webhook,
  secret: z.string().meta({ description: "Secret for checking signatures, `whsec_…`." }),
});

export const createWebhook = operation({
  ...common,
  summary: "Add a webhook endpoint",
  description: `Creates an endpoint. An account has at most ${webhooksPerAccount}. The secret is shown once.`,
  http: { method: "POST", path: "/webhooks" },
  input: z.strictObject({
    url: z
      .string()
      .overwrite(trimAddress)
      .check(z.url({ protocol: /^https?$/, error: "must be a full https URL" }))
      .max(2_048)
      .meta({ description: "An https URL on the public internet." }),
  }),
  output: WithSecret,
  errors: ["limitReached"],
  reasons: ["webhooksUsed"],
  example: { url: exampleWebhook.url },
  exampleOutput: exampleWithSecret,
});

export const deleteWebhook = operation({
  ...ofOne,
  summary: "Delete a webhook endpoint",
  description: "The endpoint receives no more events.",
  http: { method: "DELETE", path: "/webhooks/{id}" },
  exampleOutput: ofOne.example,
});

export const enableWebhook = operation({
  ...ofOne,
  summary: "Enable a webhook endpoint",
  description: "Sends missed events from the last 5 days, then new ones.",
  http: { method: "POST", path: "/webhooks/{id}/enable" },
  output: Webhook,
  exampleOutput: exampleWebhook,
});

export const testWebhook = operation({
  ...ofOne,
  summary: "Send a test event",
  description: "Sends `webhook.test` within seconds, without retries.",
  http: { method: "POST", path: "/webhooks/{id}/test" },
  exampleOutput: ofOne.example,
});

export const rotateWebhook = operation({
  ...ofOne,
  summary: "Rotate the secret of a webhook endpoint",
  description: `Returns a new secret, once. For ${formerSecretHours} hours, the former one also signs.`,
  http: { method: "POST", path: "/webhooks/{id}/rotate" },
  output: WithSecret,
  exampleOutput: exampleWithSecret,
});

export const listWebhookDeliveries = operation({
  ...ofOne,
  summary: "List a webhook endpoint's deliveries",
  description: `The last ${listedDeliveries} events of the last 5 days with their last attempt, newest first.`,
  http: { method: "GET", path: "/webhooks/{id}/deliveries" },
  output: z.object({ deliveries: z.array(WebhookDelivery) }),
  exampleOutput: {
    deliveries: [
      {
        id: "msg_5Ux9Rn2Mx1YdWc8L",
        event: "transcription.done",
        transcriptionId: "trn_5Ux9Rn2Mx1YdWc8L",
        batchId: null,
        createdAt: "2026-11-20T10:00:00.000Z",
        attempts: 1,
        attemptedAt: "2026-11-20T10:00:00.000Z",
        status: 204,
        problem: null,
        nextAttemptAt: null,
      },
    ],
  },
});

export const redeliverWebhook = operation({
  ...ofOne,
  summary: "Send an event again",
  description: `Sends an event again, with retries, as if it were new. An endpoint allows this at most ${redeliveriesPerMinute} times a minute.`,
  http: { method: "POST", path: "/webhooks/{id}/redeliver" },
  input: z.strictObject({ id: Id, deliveryId: Id }),
  example: { ...ofOne.example, deliveryId: "msg_5Ux9Rn2Mx1YdWc8L" },
  exampleOutput: ofOne.example,
});
