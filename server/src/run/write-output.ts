import type * as z from "zod";

/**
 * An answer before `writeOutput` has written it. Where the contract promises text, a handler may return a `Date`, which is
 * written in UTC; lists and objects may be read-only. Field names, numbers and enumerations are the contract's. For `{
 * createdAt: string; plan: "free" | "hobby"; ids: string[] }`, a handler may return `{ createdAt: new Date(0), plan: "free",
 * ids }`, and callers get "1970-01-01T00:00:00.000Z". Only the schema knows which texts are dates: the compiler accepts a
 * `Date` for an id, too.
 */
export type Unwritten<Value> = Value extends readonly (infer Item)[]
  ? readonly Unwritten<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Unwritten<Value[Field]> }
    : string extends Value
      ? Value | Date
      : Value;

/** An answer as its operation describes it: dates become text, and undeclared fields are left out. */
export const writeOutput = <Output extends z.ZodType>(
  { output }: { readonly output: Output },
  answer: unknown,
): z.output<Output> => output.parse(withoutDates(answer));

function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withoutDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, withoutDates(part)]));
}
