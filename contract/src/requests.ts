import { operations, peopleOperations, type OperationName, type PeopleOperationName } from "./operations.ts";
import { requestsOf, type OperationRequests } from "./requests-of.ts";

export type { OperationRequest, OperationRequests } from "./requests-of.ts";

/** Builds replace this module with its values (`inline-requests.ts`), so that callers need no schemas. */
export const programRequests = requestsOf(operations) as OperationRequests<OperationName>;
export const peopleRequests = requestsOf(peopleOperations) as OperationRequests<PeopleOperationName>;
