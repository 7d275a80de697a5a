import { ServiceError } from "@reelscript/contract";
import type * as z from "zod";
import { jsonSchemaOf, type Json } from "../json-schema.ts";

/** Turns the text of a query string into what the schema asks for. Parameters that it does not know are ignored. */
export function createQueryReader(schema: z.ZodObject): (query: URLSearchParams) => Record<string, unknown> {
  const properties = (jsonSchemaOf(schema, "input").properties ?? {}) as Record<string, Json>;
  return (query) => {
    const input: Record<string, unknown> = {};
    for (const [field, { type }] of Object.entries(properties)) {
      const [text, ...more] = query.getAll(field);
      if (text === undefined) continue;
      if (more.length > 0) throw new ServiceError("invalidRequest", `\`${field}\` is given more than once.`);
      input[field] = fromText(text, type);
    }
    return input;
  };
}

/** What does not look like the type stays text, so that the schema says what is wrong. */
function fromText(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
