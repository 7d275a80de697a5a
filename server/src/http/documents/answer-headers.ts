import type { Json } from "../../run/json-schema.ts";

/** The headers that an answer may have beside those of every answer. Most are HTTP's own, so that a type says enough. */
const typeOfHeader = {
  "retry-after": "integer",
  etag: "string",
  "cache-control": "string",
  location: "string",
  "preference-applied": "string",
  "idempotent-replayed": "string",
  "content-disposition": "string",
  "www-authenticate": "string",
} as const;
export type HeaderName = keyof typeof typeOfHeader;

export const cacheHeaderNames = ["etag", "cache-control"] as const;

/** Headers of an answer by name. A reference to a shared one would be longer. */
export const answerHeaders = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { schema: { type: typeOfHeader[name] } }]));

/** The headers of an answer, left out where it has none worth a word. */
export const withHeaders = (headers: Json): Json => (Object.keys(headers).length > 0 ? { headers } : {});
