import type { Json } from "../run/json-schema.ts";

/** The service checks these and names the wrong field; in a list that agents read every time they would cost too much. */
const boundsOfText: ReadonlySet<string> = new Set(["pattern", "format", "examples", "minLength", "maxLength"]);
const boundsOfOthers: ReadonlySet<string> = new Set(["minItems", "maxItems", "additionalProperties"]);

/**
 * An input schema for an agent: fields with types, choices, defaults and descriptions, and bounds of numbers. Null isn't
 * listed, because leaving the field out means the same.
 */
export const compactInput = (schema: Json): Json => ({ ...compactPart(schema), additionalProperties: false });

function compactPart(schema: Json): Json {
  const { anyOf, properties, items, ...rest } = schema as Json & {
    readonly anyOf?: readonly Json[];
    readonly properties?: Readonly<Record<string, Json>>;
    readonly items?: Json;
  };
  const entries = Object.fromEntries(
    Object.entries(rest).filter(
      ([name, value]) =>
        !boundsOfText.has(name) && !boundsOfOthers.has(name) && !(name === "default" && value === null),
    ),
  );
  const others = anyOf?.filter(({ type }) => type !== "null").map((one) => compactPart(one)) ?? [];
  const [only, ...more] = others;
  const choice = anyOf && (more.length > 0 ? { anyOf: others } : { ...only });
  return {
    ...choice,
    ...entries,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, compactPart(part)])),
    }),
    ...(items && { items: compactPart(items) }),
  };
}

/** The fields of an output, without their contents, which the OpenAPI document describes. */
export const compactOutput = ({ properties = {} }: Json): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Json>>).map(([name, { type }]) => [
      name,
      type === undefined ? {} : { type },
    ]),
  ),
});

/**
 * Replaces every list of types by one type, or by `anyOf` if there were several: clients that translate tool schemas for their
 * model don't support lists of types.
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
