import { operations } from "./operations.ts";

/** What each operation of programs is called in words. Apart from the requests, because only one page needs it. */
export const summaries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(operations).map(([name, { summary }]) => [name, summary]),
);
