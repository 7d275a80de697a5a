import * as z from "zod";
import { operation } from "../operation.ts";
import { webhooksPerAccount } from "../values/plans.ts";

export const webhookEvents = ["transcription.done", "transcription.failed", "webhook.test"] as const;

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    createdAt: z.iso.datetime(),
    failingSince: z.iso.datetime().nullable().meta({ description: "The first failure since the last delivery." }),
    disabledAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Set after 3 days of failures, or a 410: only tests are sent." }),
    last: z
      .object({
        at: z.iso.datetime(),
        event: z.enum(webhookEvents),
        status: z.int().nullable().meta({ description: "The HTTP status; null when no answer came." }),
        problem: z
          .enum(["status", "timeout", "unreachable", "refused"])
          .nullable()
          .meta({ description: "null: delivered; refused: the URL is not allowed." }),
      })
      .nullable()
      .meta({ description: "The last attempt." }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

const common = { tag: "Account", access: "session" } as const;
const id = z.string().min(1).max(128);

export const listWebhooks = operation({
  ...common,
  summary: "List the webhook endpoints",
  description: "Addresses that are notified when a transcription is done or failed, oldest first.",
  http: { method: "GET", path: "/webhooks" },
  input: z.object({}),
  output: z.object({ webhooks: z.array(Webhook), limit: z.int() }),
  errors: [],
  example: {},
});

export const createWebhook = operation({
  ...common,
  summary: "Add a webhook endpoint",
  description: `At most ${webhooksPerAccount} endpoints. The secret is shown once.`,
  http: { method: "POST", path: "/webhooks" },
  input: z.strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "must be a full https URL" })
      .max(2_048)
      .meta({ description: "An https URL on the public internet." }),
  }),
  output: z.object({
    webhook: Webhook,
    secret: z.string().meta({ description: "`whsec_…`, for checking signatures." }),
  }),
  errors: ["limitReached"],
  example: { url: "https://example.com/hooks/reelscript" },
});

export const deleteWebhook = operation({
  ...common,
  summary: "Delete a webhook endpoint",
  description: "Nothing more is sent to it.",
  http: { method: "DELETE", path: "/webhooks/{id}" },
  input: z.object({ id }),
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
  example: { id: "whk_4Tz8Qm1Lw0XcVb7K" },
});

export const enableWebhook = operation({
  ...common,
  summary: "Enable a webhook endpoint",
  description: "Sends to it again after it was disabled.",
  http: { method: "POST", path: "/webhooks/{id}/enable" },
  input: z.strictObject({ id }),
  output: Webhook,
  errors: ["notFound"],
  example: { id: "whk_4Tz8Qm1Lw0XcVb7K" },
});

export const testWebhook = operation({
  ...common,
  summary: "Send a test event",
  description: "Sends `webhook.test` within seconds, without retries; the list shows how it went.",
  http: { method: "POST", path: "/webhooks/{id}/test" },
  input: z.strictObject({ id }),
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
  example: { id: "whk_4Tz8Qm1Lw0XcVb7K" },
});
