import { ServiceError, type Format, type Operation } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import { queryOf } from "./read-query.ts";

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
