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

/** Omits the bounds of safe integers, which tell a reader nothing. */
function dropSafeIntegerBounds(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Writes every named part out in place, for readers that don't follow references. */
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

/**
 * Drops null fields where the schema only knows them as optional: programs and agents write both for the same. Null stays
 * where it has a meaning of its own.
 */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item: unknown) => withoutNulls(inner.element, item));
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  if (!Object.values(value).some((part) => typeof part === "object")) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]): [string, unknown][] => {
      const fieldSchema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (fieldSchema === undefined) return [[field, part]];
      if (part === null && takes(fieldSchema, undefined) && !takes(fieldSchema, null)) return [];
      return [[field, withoutNulls(fieldSchema, part)]];
    }),
  );
}

/** Our inputs aren't nested this deep; a stranger's may be nested deeper than the stack. */
const deepest = 20;

/** Drops every null field, as deep as inputs are. */
export function withoutAnyNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((part: unknown) => withoutAnyNulls(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]) =>
      part === null ? [] : [[field, withoutAnyNulls(part, depth + 1)]],
    ),
  );
}

/** The schema inside the wrappers that make a value optional or nullable, or give it a default. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wrapped ? unwrapped(schema.def.innerType) : schema;
}

const takes = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;
