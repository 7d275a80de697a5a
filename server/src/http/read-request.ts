import { ServiceError, type Operation } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import { chosenFormat } from "./answer-format.ts";
import { readBody } from "./read-body.ts";
import { createQueryReader, fromText, queryOf, typesOf } from "./read-query.ts";

/** Gathers an operation's input from where its fields stand: path, query, `If-Match` and body. */
export function createRequestReader({
  http,
  input: schema,
}: Operation): (request: FastifyRequest) => Promise<Record<string, unknown>> {
  const { method, query, maxBodyBytes, entityTag: { ifMatch } = {} } = http;
  const inBody = method === "POST" || method === "PATCH";
  const types = typesOf(schema);
  const readQuery = createQueryReader(inBody ? pick(types, query ?? []) : types);
  const elsewhere = new Map(query?.map((field) => [field, "the query"]));
  if (ifMatch !== undefined) elsewhere.set(ifMatch, "the header If-Match");
  return async (request) => {
    // Before anything is done for an answer in a format that there is not.
    chosenFormat(request, http);
    const body = inBody ? await readBody(request.raw, maxBodyBytes) : {};
    for (const [field, place] of elsewhere)
      if (Object.hasOwn(body, field))
        throw new ServiceError("invalidRequest", `\`${field}\` belongs into ${place}, not into the body.`);
    return {
      ...body,
      ...readQuery(queryOf(request)),
      ...(ifMatch !== undefined && readIfMatch(request.headers["if-match"], ifMatch, types.get(ifMatch))),
      ...(request.params as object),
    };
  };
}

const pick = (types: ReadonlyMap<string, unknown>, fields: readonly string[]): ReadonlyMap<string, unknown> =>
  new Map([...types].filter(([field]) => fields.includes(field)));

/** `*` asks for nothing, since what has a tag is always there. A cache on the way may have weakened a tag. */
function readIfMatch(header: string | undefined, field: string, type: unknown): Record<string, unknown> {
  const tag = header?.trim();
  if (tag === undefined || tag === "*") return {};
  const text = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/.exec(tag)?.[1];
  const value = text === undefined ? undefined : fromText(text, type);
  if (value === undefined || (typeof value === "string" && type !== "string"))
    throw new ServiceError(
      "invalidRequest",
      'The header If-Match must be one ETag as an answer gave it, such as "17".',
    );
  return { [field]: value };
}
