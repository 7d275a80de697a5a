import { fieldPlace, hasBody, ServiceError, type Operation } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import { chosenFormat } from "./answer-format.ts";
import { readBody } from "./read-body.ts";
import { createQueryReader, fromText, queryOf, refuseOtherParameters, typesOf } from "./read-query.ts";

/** Gathers an operation's input from where the contract says that its fields go. */
export function createRequestReader({
  http,
  input: schema,
}: Operation): (request: FastifyRequest) => Promise<Record<string, unknown>> {
  const types = typesOf(schema);
  const typesAt = (place: ReturnType<typeof fieldPlace>) =>
    new Map([...types].filter(([field]) => fieldPlace(http, field) === place));
  const [inQuery, inHeader] = [typesAt("query"), typesAt("header")];
  const readQuery = createQueryReader(inQuery);
  return async (request) => {
    // Before anything is done for an answer in a format that there is not.
    const format = chosenFormat(request, http);
    if (http.method !== "GET") refuseOtherParameters(queryOf(request), [...inQuery.keys()]);
    const body = hasBody(http) && http.mediaTypes === undefined ? await readBody(request.raw, http.maxBodyBytes) : {};
    refuseInBody(body, inQuery, "the query");
    refuseInBody(body, inHeader, "the header If-Match");
    return {
      ...body,
      ...readQuery(queryOf(request)),
      ...readIfMatch(request.headers["if-match"], inHeader),
      ...(request.params as object),
      ...format?.input,
    };
  };
}

function refuseInBody(body: object, fields: ReadonlyMap<string, unknown>, place: string): void {
  for (const field of fields.keys())
    if (Object.hasOwn(body, field))
      throw new ServiceError("invalidRequest", `\`${field}\` belongs in ${place}, not in the body.`);
}

/** `*` asks for nothing, since what has a tag is always there. A cache on the way may have weakened a tag. */
function readIfMatch(header: string | undefined, fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const [[field, type] = []] = fields;
  const tag = header?.trim();
  if (field === undefined || tag === undefined || tag === "*") return {};
  const text = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/.exec(tag)?.[1];
  const value = text === undefined ? undefined : fromText(text, type);
  if (value === undefined || (typeof value === "string" && type !== "string"))
    throw new ServiceError(
      "invalidRequest",
      'The header If-Match must be one ETag as an answer gave it, such as "17".',
    );
  return { [field]: value };
}
