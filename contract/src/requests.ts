import {
  operations,
  peopleOperations,
  type AnyOperationName,
  type OperationName,
  type PeopleOperationName,
} from "./operations.ts";
import type { Operation } from "./operation.ts";
import type { RequestShape } from "./values/field-place.ts";

/** How an operation is requested, and what its answer always has. */
export interface OperationRequest extends RequestShape {
  /** The operation that says how the work goes, where a call can be answered before it is done. */
  readonly respondAsync?: string;
  /** The output field that the body of the answer is, where that isn't JSON. */
  readonly bare?: string;
  /** Fields of the output that are never absent: as many as tell it from a stranger's answer. Pages, which are of the service itself, trust it. */
  readonly output?: readonly string[];
}

export type OperationRequests<Name extends AnyOperationName = AnyOperationName> = {
  readonly [Each in Name]: OperationRequest;
};

const mostFields = 2;

/** Builds replace this module by its values (`inline-requests.ts`), so that nobody who calls needs the schemas. */
export const programRequests = requestsOf(operations) as OperationRequests<OperationName>;
export const peopleRequests = requestsOf(peopleOperations) as OperationRequests<PeopleOperationName>;

function requestsOf(declared: Readonly<Record<string, Operation>>): Readonly<Record<string, OperationRequest>> {
  return Object.fromEntries(Object.entries(declared).map(([name, operation]) => [name, requestOf(operation)]));
}

function requestOf({ access, http, output: { shape } }: Operation): OperationRequest {
  const { method, path, query, maxBodyBytes, idempotent, entityTag, respondAsync, bare } = http;
  const fields = Object.keys(shape).filter((field) => shape[field]?._zod.optout !== "optional");
  return {
    method,
    path,
    ...(query && { query }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    ...(idempotent && { idempotent }),
    ...(entityTag && { entityTag }),
    ...(respondAsync !== undefined && { respondAsync }),
    ...(bare && { bare: bare.field }),
    ...(access !== "session" && { output: fields.slice(0, mostFields) }),
  };
}
