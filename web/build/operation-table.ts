import { allOperations, type Operation, type RequestShape } from "@reelscript/contract";
import type { Plugin } from "vite";
import { virtualModule } from "./virtual-module.ts";

/**
 * How each operation is requested. Read off the contract when the pages are built, so that the browser gets these lines
 * instead of all schemas.
 */
export const operationTable = (): Plugin =>
  virtualModule("operation-table", () => {
    const declared: [string, Operation][] = Object.entries(allOperations);
    return { operationTable: Object.fromEntries(declared.map(([name, { http }]) => [name, shapeOf(http)])) };
  });

const shapeOf = ({ method, path, query, maxBodyBytes, idempotent, entityTag }: RequestShape): RequestShape => ({
  method,
  path,
  ...(query && { query }),
  ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  ...(idempotent && { idempotent }),
  ...(entityTag && { entityTag }),
});
