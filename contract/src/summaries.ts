import { operations } from "./operations.ts";

/** Summaries of the operations for programs. Apart from the requests, because only one page needs them. */
export const summaries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(operations).map(([name, { summary }]) => [name, summary]),
);
