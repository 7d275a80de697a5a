import { operationTable } from "virtual:operation-table";
import type { Input, OperationName } from "./operation-types.ts";

const basePath = "/app/api";

interface Address {
  readonly url: string;
  /** The fields that stand neither in the path nor in the query. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Fills the path from the input; what is left goes to the query, or stays for the body. */
export function addressOf(name: OperationName, input: Readonly<Record<string, unknown>>): Address {
  const { method, path, query, ifMatch } = operationTable[name]!; // safe: made of the same operations
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = fieldText(rest.get(field) ?? "");
    rest.delete(field);
    // Browsers fold "." and ".." away, and the call would reach another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${field} is missing or not an id`);
    return encodeURIComponent(value);
  });
  const parameters = new URLSearchParams();
  const hasBody = method === "POST" || method === "PATCH";
  for (const [field, value] of rest) {
    if (field === ifMatch || (hasBody && !query?.includes(field))) continue;
    for (const item of [value].flat()) parameters.append(field, fieldText(item));
    rest.delete(field);
  }
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return { url: basePath + filled + search, rest: Object.fromEntries(rest) };
}

export const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Where a form of an answer that is a file can be downloaded from. */
export function downloadAddress<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  query: Readonly<Record<string, string>>,
): string {
  return addressOf(name, { ...input, ...query }).url;
}
