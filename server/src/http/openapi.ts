import {
  ErrorEnvelope,
  errors,
  operations,
  restBasePath,
  tags,
  type ErrorCode,
  type Operation,
} from "@reelscript/contract";
import type * as z from "zod";
import { formatNames } from "./answer-format.ts";
import { jsonSchemaOf, withoutId, type Json } from "../json-schema.ts";

/** Every operation may answer with these. */
const common: readonly ErrorCode[] = ["invalidRequest", "unauthorized", "rateLimited", "internalError", "unavailable"];

/** The OpenAPI 3.1 document of all operations. Schemas that carry an id become components. */
export function openApi(serverUrl: string): Json {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
    const { $defs = {}, ...root } = jsonSchemaOf(schema, io) as Json & { $defs?: Record<string, Json> };
    const linked = (value: unknown): Json =>
      JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
    for (const [id, definition] of Object.entries($defs)) components[id] = withoutId(linked(definition));
    if (typeof root.id !== "string") return linked(root);
    components[root.id] = withoutId(linked(root));
    return { $ref: `#/components/schemas/${root.id}` };
  };

  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries(operations) as [string, Operation][]) {
    const { method, path, cacheSeconds, text, formats, query, entityTag, idempotent, respondAsync, events } =
      operation.http;
    const input = schemaOf(operation.input, "input") as { properties?: Record<string, Json>; required?: string[] };
    const fields = Object.entries(input.properties ?? {});
    const required = new Set(input.required);
    const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
    const inBody = method === "POST" || method === "PATCH";
    const placeOf = (field: string): "path" | "header" | "query" | "body" => {
      if (inPath.has(field)) return "path";
      if (field === entityTag?.ifMatch) return "header";
      return inBody && !query?.includes(field) ? "body" : "query";
    };
    const parameters = fields
      .filter(([field]) => placeOf(field) !== "body")
      .map(([name, { description, ...schema }]) => ({
        name: placeOf(name) === "header" ? "if-match" : name,
        in: placeOf(name),
        required: required.has(name),
        ...(description !== undefined && { description }),
        schema: placeOf(name) === "header" ? entityTagSchema : schema,
        ...(Object.hasOwn(operation.example, name) && { example: operation.example[name] }),
      }));
    const form = formats && {
      name: formats.parameter,
      in: "query",
      required: false,
      description: `json unless given. ${formats.description}`,
      schema: { type: "string", enum: formatNames(formats), default: "json" },
    };
    const conditions = [
      ...(form ? [form] : []),
      ...(cacheSeconds === undefined ? [] : [ifNoneMatch]),
      ...(idempotent ? [idempotencyKey] : []),
      ...(respondAsync ? [prefer] : []),
    ];
    const body = Object.fromEntries(fields.filter(([field]) => placeOf(field) === "body"));
    const bodyExample = Object.fromEntries(
      Object.entries(operation.example).filter(([field]) => placeOf(field) === "body"),
    );
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId,
      summary: operation.summary,
      description: operation.description,
      tags: [operation.tag],
      security: operation.access === "public" ? [] : [{ bearer: [] }],
      ...(parameters.length + conditions.length > 0 && { parameters: [...parameters, ...conditions] }),
      ...(inBody && {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: body,
                required: [...required].filter((field) => field in body),
                additionalProperties: false,
              },
              example: bodyExample,
            },
          },
        },
      }),
      responses: {
        "200": {
          description: operation.summary,
          headers: headers(
            ...rateHeaderNames,
            ...(cacheSeconds === undefined ? [] : cacheHeaderNames),
            ...(entityTag === undefined ? [] : (["etag"] as const)),
            ...(formats === undefined ? [] : (["content-disposition"] as const)),
            ...(idempotent ? (["idempotent-replayed"] as const) : []),
            "x-request-id",
          ),
          content: {
            "application/json": { schema: schemaOf(operation.output, "output") },
            ...(text && { [text.type]: { schema: { type: "string" } } }),
            ...Object.fromEntries(
              Object.values(formats?.forms ?? {}).map(({ type }) => [type, { schema: { type: "string" } }]),
            ),
            ...(events && { "text/event-stream": { schema: { type: "string" } } }),
          },
        },
        ...(respondAsync !== undefined && {
          "202": {
            description: "The work goes on; `location` is where it can be followed.",
            headers: headers(
              ...rateHeaderNames,
              "location",
              "preference-applied",
              ...(idempotent ? (["idempotent-replayed"] as const) : []),
              "x-request-id",
            ),
            content: {
              "application/json": {
                schema: schemaOf((operations as Record<string, Operation>)[respondAsync]!.output, "output"),
              },
            },
          },
        }),
        ...(cacheSeconds !== undefined && {
          "304": {
            description: "The caller has this answer already.",
            headers: headers(...rateHeaderNames, ...cacheHeaderNames, "x-request-id"),
          },
        }),
        ...errorResponses(operation, schemaOf(ErrorEnvelope, "output")),
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Reelscript",
      version: "1.0.0",
      summary: "Transcripts of public short videos, a searchable library of them, and usage.",
      description: [
        `Keys are created in [the dashboard](${serverUrl}/app), under Settings, API keys.`,
        "Every error is an ErrorEnvelope; its `code` is for machines, its `message` is safe to show. Every answer carries a request id in `x-request-id`.",
      ].join(" "),
    },
    servers: [{ url: `${serverUrl}${restBasePath}` }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components,
      headers: Object.fromEntries(
        Object.entries(headerTable).map(([name, { description, type }]) => [name, { description, schema: { type } }]),
      ),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key, `svc_sk_...`." } },
    },
  };
}

const entityTagSchema = { type: "string", pattern: '^(\\*|(W/)?"[!#-~]*")$', examples: ['"17"'] };

const headerTable = {
  "retry-after": { type: "integer", description: "Whole seconds to wait before trying again." },
  "ratelimit-limit": { type: "integer", description: "Calls that the tightest bucket allows in any rolling hour." },
  "ratelimit-remaining": { type: "integer", description: "Calls left in it." },
  "ratelimit-reset": { type: "integer", description: "Seconds until one more call is free." },
  "x-request-id": { type: "string", description: "Names this answer; quote it when something is wrong." },
  etag: { type: "string", description: "Names this state of what is answered, for `if-match` or `if-none-match`." },
  "cache-control": { type: "string", description: "How long anybody may keep the answer." },
  location: { type: "string", description: "The address at which the work can be followed." },
  "preference-applied": { type: "string", description: "`respond-async`." },
  "idempotent-replayed": {
    type: "string",
    description: "`true` when the answer was kept under the `idempotency-key`.",
  },
  "content-disposition": { type: "string", description: "A name for the file; not with JSON." },
  "www-authenticate": { type: "string", description: "The scheme to authenticate with." },
} as const;
type HeaderName = keyof typeof headerTable;

const rateHeaderNames = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] as const;

const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  required: false,
  description: "The `etag` of an answer that the caller has kept; if it still holds, the answer is 304 without a body.",
  schema: { type: "string" },
};

const prefer = {
  name: "prefer",
  in: "header",
  required: false,
  description:
    "`respond-async` asks not to wait: what is not cached is answered at once with 202. Other preferences are ignored.",
  schema: { type: "string", examples: ["respond-async"] },
};

const idempotencyKey = {
  name: "idempotency-key",
  in: "header",
  required: false,
  description:
    "Makes the request safe to repeat: for 24 hours the same key with the same body gets the answer of the first success again, with `idempotent-replayed: true`; errors are not kept. With another body it is 422, and while the first request is under way 409 `inProgress`. Every request counts against the rate limits.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$", examples: ["7f3c9a52-1b7e-4c55-9f0e-2f6a8a1f5f1c"] },
};
const cacheHeaderNames = ["etag", "cache-control"] as const;

const headers = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function errorResponses(operation: Operation, schema: Json): Json {
  const codes: ErrorCode[] = [...common, ...operation.errors];
  const responses: Record<string, Json> = {};
  const add = (status: number, code: ErrorCode, description: string): void => {
    const names: HeaderName[] = ["x-request-id"];
    if (errors[code].retryable && code !== "internalError" && code !== "upstreamError") names.unshift("retry-after");
    if (code === "unauthorized") names.unshift("www-authenticate");
    responses[status] = {
      description: `\`${code}\`: ${description}`,
      headers: headers(...names),
      content: { "application/json": { schema } },
    };
  };
  for (const code of codes) add(errors[code].status, code, errors[code].description);
  const bodied = operation.http.method === "POST" || operation.http.method === "PATCH";
  const invalid: Record<number, string> = {
    412: "The revision is stale.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: `The request is right, but this reel can never be transcribed here${operation.http.idempotent ? ", or the `idempotency-key` was used with another body" : ""}; the message says why.`,
  };
  for (const status of [...(bodied ? [413, 415] : []), ...(operation.invalidRequestStatuses ?? [])])
    add(status, "invalidRequest", invalid[status] ?? "");
  return responses;
}
