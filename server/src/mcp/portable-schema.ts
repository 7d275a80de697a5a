import type { Json } from "../run/json-schema.ts";

/**
 * The same schema with one type in each place, `anyOf` where there were several: clients that translate schemas of tools for
 * their model know no lists of types.
 */
export const portableSchema = (schema: Json): Json => portable(schema) as Json;

function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    if (key !== "type" || !Array.isArray(part) || "anyOf" in value) return [key, portable(part)];
    return ["anyOf", part.map((type: unknown) => ({ type }))];
  });
  return Object.fromEntries(entries);
}
