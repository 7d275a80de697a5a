import { operations, type Operation } from "@reelscript/contract";
import type { Plugin } from "vite";
import { virtualModule } from "./virtual-module.ts";

/** What each operation is called in words. Apart from the table of calls, because only one page needs it. */
export const operationSummaries = (): Plugin =>
  virtualModule("operation-summaries", () => {
    const declared: [string, Operation][] = Object.entries(operations);
    return { operationSummaries: Object.fromEntries(declared.map(([name, { summary }]) => [name, summary])) };
  });
