import { entityTagPattern, fieldPlace, hasBody, ServiceError, type Operation } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import { chosenFormat } from "./answer-format.ts";
import type { UnreadInput } from "../ports.ts";
import { joinInput, UnreadBody } from "../run/read-input.ts";
import { readBodyBytes, usualBodyBytes } from "./read-body.ts";
import { createQueryReader, queryOf, refuseOtherParameters, typesOf } from "./read-query.ts";

/** Gathers an operation's input from where the contract says that its fields go. */
export function createRequestReader({
  http,
  input: schema,
}: Operation): (request: FastifyRequest) => Promise<Record<string, unknown> | UnreadBody> {
  let found: PlacesOfFields | undefined;
  return async (request) => {
    // Before anything is done for an answer in a format that there is not.
    const format = chosenFormat(request, http);
    // At the start, this would be worked out for all operations, called or not.
    const { inQuery, inHeader, readQuery, misplaced } = (found ??= placesOf(http, schema));
    if (http.method !== "GET") refuseOtherParameters(queryOf(request), [...inQuery.keys()]);
    const body =
      hasBody(http) && http.mediaTypes === undefined ? await readBodyBytes(request.raw, http.maxBodyBytes) : none;
    const beside = {
      ...readQuery(queryOf(request)),
      ...readIfMatch(request.headers["if-match"], inHeader),
      ...(request.params as object),
      ...format?.input,
    };
    if (body.length > usualBodyBytes) return new UnreadBody({ bytes: body, beside, misplaced });
    return joinInput(body, beside, misplaced);
  };
}

interface PlacesOfFields {
  readonly inQuery: ReadonlyMap<string, unknown>;
  readonly inHeader: ReadonlyMap<string, unknown>;
  readonly readQuery: (query: URLSearchParams) => Record<string, unknown>;
  readonly misplaced: UnreadInput["misplaced"];
}

function placesOf(http: Operation["http"], schema: Operation["input"]): PlacesOfFields {
  const types = typesOf(schema);
  const typesAt = (place: "query" | "header") =>
    new Map([...types].filter(([field]) => fieldPlace(http, field) === place));
  const [inQuery, inHeader] = [typesAt("query"), typesAt("header")];
  return {
    inQuery,
    inHeader,
    readQuery: createQueryReader(inQuery),
    misplaced: [
      ...[...inQuery.keys()].map((field) => [field, "the query"] as const),
      ...[...inHeader.keys()].map((field) => [field, "the header If-Match"] as const),
    ],
  };
}

const none = new Uint8Array();

const entityTag = new RegExp(entityTagPattern);

/** `*` asks for nothing, since what has a tag is always there. */
function readIfMatch(header: string | undefined, fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const [field] = fields.keys();
  if (field === undefined || header === undefined) return {};
  const found = entityTag.exec(header.trim());
  if (found === null)
    throw new ServiceError(
      "invalidRequest",
      'The header If-Match must be one ETag as an answer gave it, such as "17".',
    );
  const [, number] = found;
  return number === undefined ? {} : { [field]: Number(number) };
}
