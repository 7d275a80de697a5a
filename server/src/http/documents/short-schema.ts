import type { Json } from "../../run/schemas.ts";

/**
 * Shortens a schema: a nullable type becomes one list of types, and examples go, because the document shows whole ones.
 * Outputs also lose defaults and bounds, which are for senders.
 */
export function shortSchema(schema: Json, io: "input" | "output"): Json {
  const short = (part: Json): Json => shortSchema(part, io);
  const {
    anyOf,
    properties,
    items,
    examples: _,
    ...rest
  } = schema as Json & {
    readonly anyOf?: readonly Json[];
    readonly properties?: Readonly<Record<string, Json>>;
    readonly items?: Json;
  };
  // In an input, null means the same as leaving the field out.
  if (rest.default === null) delete rest.default;
  if (io === "output") {
    for (const name of forSenders) delete rest[name];
    if (rest.type !== undefined) delete rest.pattern;
    if (rest.format === "uri") delete rest.format;
  }
  const shortPart = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, short(part)])),
    }),
    ...(items && { items: short(items) }),
  };
  if (anyOf === undefined) return shortPart;
  const choices = anyOf.map(short);
  return { ...(nullable(choices) ?? { anyOf: choices }), ...shortPart };
}

const forSenders = ["default", "minimum", "maximum", "minLength", "maxLength"] as const;

/** One schema with two types, if the only choice is between a value and null. */
function nullable(choices: readonly Json[]): Json | undefined {
  const [value, none, ...more] = choices;
  if (value === undefined || more.length > 0 || none?.type !== "null" || typeof value.type !== "string")
    return undefined;
  const { enum: values, ...rest } = value;
  return { ...rest, type: [value.type, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** Schemas that have all fields of another one and more. */
const extensions: Readonly<Record<string, string>> = {
  BioAnalytics: "BioPeriod",
  ChangedBioPage: "BioPage",
  CompetitorReport: "CompetitorReportSummary",
  FullScript: "TranscribedReel",
  Guide: "GuideSummary",
  RetranscribeResult: "Retranscription",
  Script: "TranscribedReel",
  TranscriptionUsage: "Quota",
};

/** Schema of the fields that `Script` and `FullScript` share. */
const sharedByScripts = "TranscribedReel";

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

/** Writes the fields that schemas share once. Every field means the same as before. */
export function extendSchemas(schemas: Json): Json {
  const all: Json = { ...schemas };
  const { Script, FullScript } = schemas as Record<string, ObjectSchema & Json>;
  if (Script && FullScript) all[sharedByScripts] = fieldsOfBoth(Script, FullScript);
  for (const [name, base] of Object.entries(extensions)) {
    const schema = all[name] as (ObjectSchema & Json) | undefined;
    if (schema) all[name] = extended(schema, all[base] as ObjectSchema, base);
  }
  return all;
}

function fieldsOfBoth(one: ObjectSchema, other: ObjectSchema): Json {
  const properties = Object.fromEntries(
    Object.entries(one.properties).filter(([name, part]) => same(part, other.properties[name])),
  );
  return { type: "object", properties, required: one.required.filter((name) => name in properties) };
}

function extended(
  { type, properties, required, ...rest }: ObjectSchema & Json,
  base: ObjectSchema,
  name: string,
): Json {
  const missing = Object.keys(base.properties).filter((field) => !same(base.properties[field], properties[field]));
  const optional = base.required.filter((field) => !required.includes(field));
  if (missing.length > 0 || optional.length > 0)
    throw new Error(`This schema does not extend ${name}: ${[...missing, ...optional].join(", ")}`);
  const needed = required.filter((field) => !base.required.includes(field));
  // Fields that are only required here are repeated, all in a member of their own: generators of clients overlook them
  // elsewhere.
  const more = Object.fromEntries(
    Object.entries(properties).filter(([field]) => !(field in base.properties) || needed.includes(field)),
  );
  const ownPart = {
    type,
    ...(Object.keys(more).length > 0 && { properties: more }),
    ...(needed.length > 0 && { required: needed }),
  };
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }, ownPart] };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
