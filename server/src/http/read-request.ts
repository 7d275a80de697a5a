import type * as z from "zod";
import type { IncomingMessage } from "node:http";
import {
  ServiceError,
  cutText,
  entityTagPattern,
  fieldLocation,
  hasBody,
  nearestWord,
  type Format,
  type Operation,
} from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import type { UnreadInput } from "../ports.ts";
import { UnreadBody, joinInput, jsonSchemaOf, readJsonObject, type Json } from "../run/schemas.ts";

/** Gathers an operation's input from where the contract says that its fields go. */
export function createRequestReader({
  http,
  input: schema,
}: Operation): (request: FastifyRequest) => Promise<Record<string, unknown> | UnreadBody> {
  let locations: FieldLocations | undefined;
  return async (request) => {
    // Before anything is done for an answer in a format that there is not.
    const format = chosenFormat(request, http);
    // At the start, this would be worked out for all operations, called or not.
    const { inQuery, inHeader, readQuery, misplaced } = (locations ??= locationsOf(http, schema));
    refuseOtherParameters(queryOf(request), [...inQuery.keys(), ...(http.formats ? [http.formats.parameter] : [])]);
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

interface FieldLocations {
  readonly inQuery: ReadonlyMap<string, unknown>;
  readonly inHeader: ReadonlyMap<string, unknown>;
  readonly readQuery: (query: URLSearchParams) => Record<string, unknown>;
  readonly misplaced: UnreadInput["misplaced"];
}

function locationsOf(http: Operation["http"], schema: Operation["input"]): FieldLocations {
  const types = typesOf(schema);
  const typesAt = (location: "query" | "header") =>
    new Map([...types].filter(([field]) => fieldLocation(http, field) === location));
  const inQuery = typesAt("query");
  const inHeader = typesAt("header");
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
  const match = entityTag.exec(header.trim());
  if (match === null)
    throw new ServiceError(
      "invalidRequest",
      'The header If-Match must be one ETag as an answer gave it, such as "17".',
    );
  const [, number] = match;
  return number === undefined ? {} : { [field]: Number(number) };
}

export function queryOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : request.url.slice(start + 1));
}

/** The fields of an input and their JSON types. */
const typesOf = (schema: z.ZodObject): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries((jsonSchemaOf(schema, "input").properties ?? {}) as Record<string, Json>).map(
      ([field, { type }]) => [field, type],
    ),
  );

const shownCharacters = 60;

/**
 * Throws `invalidRequest` for an unknown parameter: a misspelled filter would return everything, and a misspelled `dryRun` would
 * change what it was meant to protect.
 */
function refuseOtherParameters(query: URLSearchParams, parameters: readonly string[]): void {
  const other = [...query.keys()].find((name) => !parameters.includes(name));
  if (other === undefined) return;
  const parameter = other.length > shownCharacters ? `${cutText(other, shownCharacters)}…` : other;
  const possible = parameters.length === 0 ? "takes no query parameters" : `takes ${parameters.join(", ")}`;
  const nearest = nearestWord(parameter, parameters);
  throw new ServiceError(
    "invalidRequest",
    `\`${parameter}\` is not a query parameter of this request, which ${possible}.${nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`}`,
  );
}

/** Converts the text of a query string to the types of the fields. */
function createQueryReader(types: ReadonlyMap<string, unknown>): (query: URLSearchParams) => Record<string, unknown> {
  return (query) => {
    const input: Record<string, unknown> = {};
    for (const [field, type] of types) {
      const [text, ...more] = query.getAll(field);
      if (text === undefined) continue;
      if (more.length > 0) throw new ServiceError("invalidRequest", `\`${field}\` is given more than once.`);
      input[field] = fromText(text, type);
    }
    return input;
  };
}

/** Text that doesn't look like the type stays text, so that the schema says what is wrong. */
function fromText(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Limit for operations that set none. */
const usualBodyBytes = 64 * 1_024;

/** The JSON object of a request's body; an empty body is an empty object. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBodyBytes(request);
  return bytes.length === 0 ? {} : readJsonObject(bytes);
}

/** The bytes of a request's body, which must say that it is JSON unless it is empty. */
async function readBodyBytes(request: IncomingMessage, maxBytes: number = usualBodyBytes): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  const type = contentTypeOf(request);
  if (bytes.length > 0 && !isJson(request))
    throw new ServiceError(
      "invalidRequest",
      `The body must be JSON with \`content-type: application/json\`${type ? `, not ${quote(type)}` : ""}.`,
      { status: 415 },
    );
  return bytes;
}

/** Joins the parts of a body. Throws `invalidRequest`, with 413 as soon as there are more bytes. */
export async function readBytes(parts: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of parts) {
      length += chunk.length;
      if (length > maxBytes)
        throw new ServiceError("invalidRequest", `The body is larger than ${maxBytes} bytes.`, { status: 413 });
      chunks.push(chunk);
    }
  } catch (error) {
    return endedEarly(error);
  }
  return Buffer.concat(chunks);
}

/** Throws the error for a body that broke off, or the one that says why we stopped reading. */
export function endedEarly(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  throw new ServiceError("invalidRequest", "The request body ended early. Send it again.", { cause: error });
}

const quote = (text: string): string => JSON.stringify(cutText(text, 60));

export interface ChosenFormat extends Format<Record<string, unknown>> {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ending: string;
  readonly fileName: (output: Record<string, unknown>) => string;
}

const json = "json";

/** The values of the parameter by which an operation's formats are chosen. */
export const formatNames = (formats: NonNullable<Operation["http"]["formats"]>): string[] => [
  ...new Set([json, ...Object.keys(formats.forms)]),
];

/** The format that the query requests instead of JSON. Throws `invalidRequest` for an unknown format. */
export function chosenFormat(request: FastifyRequest, { formats }: Operation["http"]): ChosenFormat | undefined {
  if (formats === undefined) return undefined;
  const { parameter, forms } = formats;
  const [name, ...more] = queryOf(request).getAll(parameter);
  if (more.length > 0) throw new ServiceError("invalidRequest", `\`${parameter}\` is given more than once.`);
  if (name === undefined) return undefined;
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  // JSON is what there is without a file, unless it is a file too.
  if (form === undefined && name === json) return undefined;
  if (form === undefined)
    throw new ServiceError("invalidRequest", `\`${parameter}\`: must be one of ${formatNames(formats).join(", ")}.`);
  return {
    name,
    type: form.type,
    input: form.input ?? {},
    ending: form.ending ?? name,
    write: (output) => form.write(output),
    fileName: (output) => formats.fileName(output),
  };
}

const hidden = new WeakMap<IncomingMessage, string>();

/** The framework judges a content type before access and rate limit are looked at; we judge it after them. */
export function hideContentType(request: IncomingMessage): void {
  const type = request.headers["content-type"];
  if (type === undefined) return;
  hidden.set(request, type);
  delete request.headers["content-type"];
}

export function showContentType(request: IncomingMessage): void {
  const type = hidden.get(request);
  if (type !== undefined) request.headers["content-type"] = type;
}

export const contentTypeOf = (request: IncomingMessage): string => hidden.get(request) ?? "";

/** True for JSON and for types written in JSON (RFC 6839), such as that of RFC 7396. */
export const isJson = (request: IncomingMessage): boolean =>
  /^application\/(?:[\w!#$&^.+-]{1,120}\+)?json\s*(?:;|$)/i.test(contentTypeOf(request));
