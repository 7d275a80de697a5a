import * as z from "zod";

export type Json = Record<string, unknown>;

/** A schema as JSON Schema 2020-12; named parts stay references into `$defs`. Output objects are open, so that fields may be added. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === "output") delete jsonSchema.additionalProperties;
      // The format says the same in fewer characters, and in a way that people read.
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
      if (jsonSchema.type === "integer") dropSafeIntegerBounds(jsonSchema);
    },
  }) as Json;
  return json;
}

/** The bounds of exact integers say nothing to a reader. */
function dropSafeIntegerBounds(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** The same schema with every named part written out in place, for readers that do not follow references. */
export function inlineSchema(schema: Json): Json {
  const { $defs = {}, ...root } = schema as Json & { $defs?: Record<string, Json> };
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as Json;
    const named = typeof $ref === "string" ? $defs[$ref.slice("#/$defs/".length)] : undefined;
    const merged = { ...(named && withoutId(named)), ...rest };
    return Object.fromEntries(Object.entries(merged).map(([key, part]) => [key, inline(part)]));
  };
  return inline(withoutId(root)) as Json;
}

export function withoutId(schema: Json): Json {
  const { id: _id, ...rest } = schema;
  return rest;
}
