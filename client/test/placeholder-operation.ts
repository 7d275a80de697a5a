import { type Operation, operations } from "@reelscript/contract";

/** A path with a placeholder, whatever the contract has at the moment. */
export const operationWithPlaceholder: Operation = {
  ...operations.getUsage,
  http: { method: "GET", path: "/things/{id}" },
};
