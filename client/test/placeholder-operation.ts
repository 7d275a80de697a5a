import { type Operation, operations } from "@reelscript/contract";

/** A path with a placeholder, whatever the contract has at the moment. */
export const operationWithPlaceholder: Operation = {
  ...operations.getUsage,
  http: { method: "GET", path: "/things/{id}" },
};

/** Fields of a body request that stand elsewhere. */
export const operationWithPlaces: Operation = {
  ...operations.getUsage,
  http: {
    method: "PATCH",
    path: "/things",
    query: ["dryRun"],
    entityTag: { output: "revision", ifMatch: "ifRevision" },
  },
};
