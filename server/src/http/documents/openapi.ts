import {
  ErrorEnvelope,
  operations,
  restBasePath,
  sections,
  type Operation,
  type OperationName,
} from "@reelscript/contract";
import type * as z from "zod";
import { jsonSchemaOf, withoutId, type Json } from "../../run/schemas.ts";
import { describeAnswers } from "./describe-answers.ts";
import { describeErrors } from "./describe-errors.ts";
import { describeBody, describeParameters, type InputFields } from "./describe-parameters.ts";
import { describeWebhooks } from "./describe-webhooks.ts";
import { shareRepeated } from "./share-repeated.ts";
import { extendSchemas, shortSchema } from "./short-schema.ts";

type SchemaOf = (schema: z.ZodType, io: "input" | "output") => Json;

/** The OpenAPI 3.1 document of all operations. Schemas that carry an id become components. */
export function openApi(serverUrl: string): Json {
  const { schemas, schemaOf } = createSchemas();
  const envelope = schemaOf(ErrorEnvelope, "output");
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { method, path } = operation.http;
    (paths[path] ??= {})[method.toLowerCase()] = describeOperation(operationId, operation, { schemaOf, envelope });
  }
  const shared = shareRepeated(paths);
  const { webhooks, parameters } = describeWebhooks(schemaOf);
  return {
    openapi: "3.1.0",
    info: {
      title: "Reelscript",
      version: "1.0.0",
      summary: "Transcripts of public short videos, a searchable library, and usage.",
      description: [
        `Keys are created in [the dashboard](${serverUrl}/app), under API keys.`,
        "Errors are an ErrorEnvelope: `code` is for machines, `message` is safe to show. Answers have an `x-request-id`, and the tightest rate limit in `ratelimit-limit`, `-remaining` and `-reset` (seconds until one more is free).",
        "A request's `null` leaves a field out, or clears one whose type has null; an answer's is unknown or none. Writes refuse unknown query parameters.",
        `\`x-error-reason\` says why, by [these names](${serverUrl}/docs#reasons).`,
      ].join(" "),
      contact: { name: "Reelscript", url: `${serverUrl}/app` },
      license: { name: "Use with an account; not licensed to others", url: `${serverUrl}/` },
    },
    servers: [{ url: `${serverUrl}${restBasePath}` }],
    security: [{ bearer: [] }],
    tags: Object.entries(sections).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: extendSchemas(schemas),
      parameters: { ...shared.parameters, ...parameters },
      requestBodies: shared.requestBodies,
      responses: shared.responses,
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key, `svc_sk_...`." } },
    },
  };
}

/** Writes schemas as JSON Schema, and gathers those that carry an id in `schemas`. */
function createSchemas(): { readonly schemas: Json; readonly schemaOf: SchemaOf } {
  const schemas: Json = {};
  const linked = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  const schemaOf: SchemaOf = (schema, io) => {
    const { $defs = {}, ...root } = jsonSchemaOf(schema, io) as Json & { $defs?: Record<string, Json> };
    const short = (part: Json): Json => linked(shortSchema(withoutId(part), io));
    for (const [id, definition] of Object.entries($defs)) schemas[id] = short(definition);
    if (typeof root.id !== "string") return short(root);
    schemas[root.id] = short(root);
    return { $ref: `#/components/schemas/${root.id}` };
  };
  return { schemas, schemaOf };
}

function describeOperation(
  operationId: OperationName,
  operation: Operation,
  { schemaOf, envelope }: { readonly schemaOf: SchemaOf; readonly envelope: Json },
): Json {
  const { summary, description, section, access, http } = operation;
  const input = schemaOf(operation.input, "input") as InputFields;
  const parameters = describeParameters(operation, input);
  const follow =
    http.respondAsync === undefined ? undefined : (operations as Record<string, Operation>)[http.respondAsync];
  return {
    operationId,
    summary,
    description,
    tags: [section],
    ...(access === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(operation, input),
    responses: describeAnswers(operation, {
      output: schemaOf(operation.output, "output"),
      accepted: follow ? schemaOf(follow.output, "output") : undefined,
      errors: describeErrors(operation, envelope),
      example: operation.output.parse(operation.exampleOutput),
      acceptedExample: follow?.exampleOutput,
    }),
  };
}
