import type * as z from "zod";

/** An answer as its operation describes it: moments are text, and fields that nobody promised are left out. */
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
