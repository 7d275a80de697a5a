import { BatchEvent, TestEvent, TranscriptionEvent } from "@reelscript/contract";
import type * as z from "zod";
import type { Json } from "../../run/schemas.ts";
import { inWords } from "./share-repeated.ts";

/** Headers of every request to an endpoint. */
const webhookHeaders = {
  "webhook-id": "Id of the event, the same in every attempt.",
  "webhook-timestamp": "Time of the attempt, in seconds since 1970.",
  "webhook-signature":
    "`v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`, keyed with the base64 after `whsec_`; two with a space between after a rotation.",
} as const;

const example: z.infer<typeof TranscriptionEvent> = {
  type: "transcription.done",
  timestamp: "2026-11-20T10:00:00.000Z",
  data: {
    transcriptionId: "trn_5Ux9Rn2Mx1YdWc8L",
    status: "done",
    reelUrl: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
    platform: "instagram",
    scriptId: "scr_4Tz8Qm1Lw0XcVb7K",
  },
};

/** Describes the events sent to endpoints, in OpenAPI. */
export function describeWebhooks(schemaOf: (schema: z.ZodType, io: "output") => Json): {
  readonly webhooks: Json;
  readonly parameters: Json;
} {
  const parameters = Object.entries(webhookHeaders).map(([name, description]): [string, Json] => [
    name,
    { name, in: "header", required: true, description, schema: { type: "string" } },
  ]);
  const event = (operationId: string, summary: string, schema: z.ZodType, example?: object): Json => ({
    post: {
      operationId,
      summary,
      security: [],
      parameters: parameters.map(([name]) => ({ $ref: `#/components/parameters/${inWords(name)}` })),
      requestBody: {
        content: { "application/json": { schema: schemaOf(schema, "output"), ...(example && { example }) } },
      },
      responses: {
        "2XX": { description: "The event is accepted if the answer comes within 5 s; otherwise it is sent again." },
      },
    },
  });
  return {
    parameters: Object.fromEntries(parameters.map(([name, parameter]) => [inWords(name), parameter])),
    webhooks: {
      "transcription.done": event("onDone", "A transcription is done", TranscriptionEvent, example),
      "transcription.failed": event("onFailed", "A transcription failed", TranscriptionEvent),
      "batch.finished": event("onBatchFinished", "A batch is finished", BatchEvent),
      "webhook.test": event("onTest", "Test event", TestEvent),
    },
  };
}
