import { operatorOperations, type OperatorOperationName } from "./operations.ts";
import { requestsOf, type OperationRequests } from "./requests-of.ts";

/** Separate from the other requests, so that only the operator's pages load them. Builds replace this module with its values. */
export const operatorRequests = requestsOf(operatorOperations) as OperationRequests<OperatorOperationName>;
