import type { Json } from "../../run/json-schema.ts";

const headerTable = {
  "retry-after": { type: "integer", description: "Whole seconds to wait." },
  etag: { type: "string", description: "Names this state, for `if-match` or `if-none-match`." },
  "cache-control": { type: "string", description: "How long to keep the answer." },
  location: { type: "string", description: "Where to follow the work." },
  "preference-applied": { type: "string", description: "`respond-async`." },
  "idempotent-replayed": {
    type: "string",
    description: "`true` when kept under the `idempotency-key`.",
  },
  "content-disposition": { type: "string", description: "A name for the file; not with JSON." },
  "www-authenticate": { type: "string", description: "The scheme to authenticate with." },
} as const;
export type HeaderName = keyof typeof headerTable;

export const cacheHeaderNames = ["etag", "cache-control"] as const;

/** Headers of an answer, as references into the components. */
export const answerHeaders = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of an answer, left out where it has none worth a word. */
export const withHeaders = (headers: Json): Json => (Object.keys(headers).length > 0 ? { headers } : {});

/** The components that the references lead to. */
export const headerComponents = (): Json =>
  Object.fromEntries(
    Object.entries(headerTable).map(([name, { description, type }]) => [name, { description, schema: { type } }]),
  );
