import { operations, type Operation } from "@reelscript/contract";
import type { Plugin } from "vite";

const id = "virtual:operation-summaries";
const resolvedId = `\0${id}`;

/** What each operation is called in words. Apart from the table of calls, because only one page needs it. */
export function operationSummaries(): Plugin {
  return {
    name: "operation-summaries",
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load(source) {
      if (source !== resolvedId) return undefined;
      const declared: [string, Operation][] = Object.entries(operations);
      const summaries = Object.fromEntries(declared.map(([name, { summary }]) => [name, summary]));
      return `export const operationSummaries = ${JSON.stringify(summaries)};`;
    },
  };
}
