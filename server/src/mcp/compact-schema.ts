import type { Json } from "../run/json-schema.ts";

/** Checked by the service, which names the field that is wrong; in a list that agents read every time they cost too much. */
const boundsOfText: ReadonlySet<string> = new Set(["pattern", "format", "examples", "minLength", "maxLength"]);
const boundsOfOthers: ReadonlySet<string> = new Set(["minItems", "maxItems", "additionalProperties"]);

/** What an agent needs to write an input: fields with types, choices, defaults and descriptions, and bounds of numbers. */
export const compactInput = (schema: Json): Json => ({ ...compactPart(schema, false), additionalProperties: false });

function compactPart(schema: Json, inList: boolean): Json {
  const { anyOf, properties, items, ...rest } = schema as Json & {
    readonly anyOf?: readonly Json[];
    readonly properties?: Readonly<Record<string, Json>>;
    readonly items?: Json;
  };
  const kept = Object.fromEntries(
    Object.entries(rest).filter(
      ([name, value]) =>
        !boundsOfText.has(name) && !boundsOfOthers.has(name) && !(name === "default" && value === null),
    ),
  );
  const others = anyOf?.filter(({ type }) => type !== "null").map((one) => compactPart(one, inList)) ?? [];
  const [only] = others;
  const choice = anyOf && (clears(others, inList) ? { anyOf: [...others, { type: "null" }] } : { ...only });
  return {
    ...choice,
    ...kept,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, compactPart(part, inList)]),
      ),
    }),
    ...(items && { items: compactPart(items, true) }),
  };
}

/**
 * Whether null says something that leaving the field out, an empty list or another choice doesn't. What is in a list is
 * replaced with it.
 */
const clears = ([only, ...more]: readonly Json[], inList: boolean): boolean =>
  more.length > 0 || (!inList && only?.enum === undefined && only?.type !== "boolean" && only?.type !== "array");

/** Of an output with more fields the items of its lists are not shown: there is no end to them. */
const mostFields = 4;

/** What is in an output: its fields, and those of the items of a list. What each means is in the OpenAPI document. */
export function compactOutput(schema: Json): Json {
  const fields = Object.entries(fieldsOf(schema));
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, part]) => {
        const items = fields.length > mostFields ? undefined : (part.items as Json | undefined);
        return [name, { ...typeOf(part), ...(items?.properties !== undefined && { items: named(items) }) }];
      }),
    ),
  };
}

const fieldsOf = ({ properties = {} }: Json): Readonly<Record<string, Json>> =>
  properties as Readonly<Record<string, Json>>;

const typeOf = ({ type }: Json): Json => (type === undefined ? {} : { type });

const named = (item: Json): Json => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(fieldsOf(item)).map(([name, part]) => [name, typeOf(part)])),
});
