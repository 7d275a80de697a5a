import * as z from "zod";
import { unwrapped } from "../run/json-schema.ts";

/**
 * Some hosts write every argument as text, even null. Where the schema accepts a list, an object, a number or a boolean but no
 * text, this parses the text as JSON. Text that doesn't parse to such a value stays, and the schema refuses it.
 */
export function readTexts(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return readChoice(inner.options, value);
  if (inner instanceof z.ZodArray) {
    const list = readText(value, Array.isArray);
    return Array.isArray(list) ? list.map((item: unknown) => readTexts(inner.element, item)) : list;
  }
  if (inner instanceof z.ZodObject) {
    const object = readText(value, isObject);
    return isObject(object) ? readFields(inner.shape, object) : object;
  }
  if (inner instanceof z.ZodNumber) return readText(value, (read) => typeof read === "number");
  if (inner instanceof z.ZodBoolean) return readText(value, (read) => typeof read === "boolean");
  if (inner instanceof z.ZodLiteral && !inner.values.has(value as z.core.util.Literal))
    return readText(value, (read) => inner.values.has(read as z.core.util.Literal));
  return value;
}

/** A text that equals one of the choices stays a text. */
function readChoice(choices: readonly z.core.$ZodType[], value: unknown): unknown {
  const takes = (one: unknown): boolean => choices.some((choice) => z.safeParse(choice, one).success);
  if (takes(value)) return value;
  return choices.map((choice) => readTexts(choice, value)).find(takes) ?? value;
}

function readFields(shape: Readonly<Record<string, z.core.$ZodType>>, fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, part]) => {
      const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      return [field, schema === undefined ? part : readTexts(schema, part)];
    }),
  );
}

function readText(value: unknown, isWanted: (read: unknown) => boolean): unknown {
  if (typeof value !== "string") return value;
  try {
    const read: unknown = JSON.parse(value);
    return read === null || isWanted(read) ? read : value;
  } catch {
    return value;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
