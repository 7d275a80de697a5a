import { errors, operations, peopleOperations, type Operation } from "@reelscript/contract";
import type { Plugin } from "vite";
import { virtualModule } from "./virtual-module.ts";

/**
 * What a call needs to know of each operation, and which error codes pass by themselves. Read off the contract when the
 * pages are built, so that the browser gets these lines instead of all schemas.
 */
export const operationTable = (): Plugin =>
  virtualModule("operation-table", () => {
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
    const retryableCodes = Object.entries(errors).flatMap(([code, error]) => (error.retryable ? [code] : []));
    return { operationTable: Object.fromEntries(table), retryableCodes };
  });
