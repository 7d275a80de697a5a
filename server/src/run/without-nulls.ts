import * as z from "zod";

/**
 * The same value without the fields that are null where the schema knows only "left out": programs and agents write both for
 * the same. Where null means something of its own it stays.
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
      const known = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (known === undefined) return [[field, part]];
      if (part === null && takes(known, undefined) && !takes(known, null)) return [];
      return [[field, withoutNulls(known, part)]];
    }),
  );
}

/** The same value without any field that is null. */
export function withoutAnyNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnyNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]) => (part === null ? [] : [[field, withoutAnyNulls(part)]])),
  );
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wrapped ? unwrapped(schema.def.innerType) : schema;
}

const takes = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;
