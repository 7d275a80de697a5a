import { entityTagPattern, fieldLocation, hasBody, type Operation } from "@reelscript/contract";
import type { Json } from "../../run/schemas.ts";
import { formatNames } from "../read-request.ts";

/** An input schema, taken apart into its fields. */
export interface InputFields {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** The operation's input fields outside the body, and the headers that every operation of its kind takes. */
export function describeParameters(
  { http, example }: Operation,
  { properties = {}, required = [] }: InputFields,
): Json[] {
  const fields = Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    const location = fieldLocation(http, name);
    if (location === "body") return [];
    return {
      name: location === "header" ? "if-match" : name,
      in: location,
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      schema: location === "header" ? entityTagSchema : schema,
      ...(Object.hasOwn(example, name) && { example: example[name] }),
    };
  });
  const { formats, cacheSeconds, idempotent, respondAsync } = http;
  return [
    ...fields,
    ...(formats ? [describeFormat(formats)] : []),
    ...(cacheSeconds === undefined ? [] : [ifNoneMatch]),
    ...(idempotent ? [idempotencyKey] : []),
    ...(respondAsync ? [prefer] : []),
  ];
}

/** The body of a request, where any field goes there. One whose fields may all be left out may be left out itself. */
export function describeBody(
  { http, example }: Operation,
  { properties = {}, required = [] }: InputFields,
): { readonly requestBody?: Json } {
  const inBody = (fields: Readonly<Record<string, unknown>>): Json =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => fieldLocation(http, field) === "body"));
  const body = inBody(properties);
  if (!hasBody(http) || Object.keys(body).length === 0) return {};
  const needed = required.filter((field) => field in body);
  const schema = {
    type: "object",
    properties: body,
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
  const content = { "application/json": { schema, example: inBody(example) } };
  return { requestBody: { ...(needed.length > 0 && { required: true }), content } };
}

const describeFormat = (formats: NonNullable<Operation["http"]["formats"]>): Json => ({
  name: formats.parameter,
  in: "query",
  description: `Format of the answer; \`json\` by default. ${formats.description}`,
  schema: { type: "string", enum: formatNames(formats), default: "json" },
});

const entityTagSchema = { type: "string", pattern: entityTagPattern };

const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  description: "The `etag` of a stored answer; the answer is 304 if nothing has changed.",
  schema: { type: "string" },
};

const prefer = {
  name: "prefer",
  in: "header",
  description: "`respond-async` returns 202 immediately for a reel that isn't cached.",
  schema: { type: "string", examples: ["respond-async"] },
};

const idempotencyKey = {
  name: "idempotency-key",
  in: "header",
  description:
    "Makes the request safe to repeat: for 24 hours the same key and body get the first success again, with `idempotent-replayed: true`; errors aren't kept. Another body gets 422; 409 while the first runs.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$", examples: ["7f3c9a52"] },
};
