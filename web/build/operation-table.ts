import { errors, operations, peopleOperations, type Operation } from "@reelscript/contract";
import type { Plugin } from "vite";

const id = "virtual:operation-table";
const resolvedId = `\0${id}`;

/**
 * What a call needs to know of each operation, and which error codes pass by themselves. Read off the contract when the
 * pages are built, so that the browser gets these lines instead of all schemas.
 */
export function operationTable(): Plugin {
  return {
    name: "operation-table",
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load(source) {
      if (source !== resolvedId) return undefined;
      const declared: [string, Operation][] = Object.entries({ ...operations, ...peopleOperations });
      const table = declared.map(([name, { http }]) => [
        name,
        {
          method: http.method,
          path: http.path,
          query: http.query,
          ifMatch: http.entityTag?.ifMatch,
          maxBodyBytes: http.maxBodyBytes,
        },
      ]);
      const retryable = Object.entries(errors).flatMap(([code, error]) => (error.retryable ? [code] : []));
      return [
        `export const operationTable = ${JSON.stringify(Object.fromEntries(table))};`,
        `export const retryableCodes = ${JSON.stringify(retryable)};`,
      ].join("\n");
    },
  };
}
