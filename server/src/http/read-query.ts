import { cutText, ServiceError } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import type * as z from "zod";
import { jsonSchemaOf, type Json } from "../run/json-schema.ts";

export function queryOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : request.url.slice(start + 1));
}

/** The fields of an input and their JSON types. */
export const typesOf = (schema: z.ZodObject): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries((jsonSchemaOf(schema, "input").properties ?? {}) as Record<string, Json>).map(
      ([field, { type }]) => [field, type],
    ),
  );

const shownCharacters = 60;

/** Throws `invalidRequest` for an unknown parameter: a misspelled `dryRun` would change what it was meant to protect. */
export function refuseOtherParameters(query: URLSearchParams, parameters: readonly string[]): void {
  const other = [...query.keys()].find((name) => !parameters.includes(name));
  if (other === undefined) return;
  const named = other.length > shownCharacters ? `${cutText(other, shownCharacters)}…` : other;
  const possible = parameters.length === 0 ? "takes no query parameters" : `takes ${parameters.join(", ")}`;
  throw new ServiceError("invalidRequest", `\`${named}\` is not a query parameter of this request, which ${possible}.`);
}

/** Converts the text of a query string to the types of the fields. Unknown parameters are ignored. */
export function createQueryReader(
  types: ReadonlyMap<string, unknown>,
): (query: URLSearchParams) => Record<string, unknown> {
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
