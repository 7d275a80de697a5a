import type { AnyOperationName } from "./operations.ts";
import type { Operation } from "./operation.ts";
import type { RequestShape } from "./values/request-shape.ts";

/** The request of an operation, and the fields that its answer always has. */
export interface OperationRequest extends RequestShape {
  /** The operation that reports progress, if a call can be answered before its work is done. */
  readonly respondAsync?: string;
  /** The output field that is the body of the answer, if that isn't JSON. */
  readonly bare?: string;
  /** The output field that comes in a header, if there is one. */
  readonly numbers?: { readonly header: string; readonly field: string };
  /**
   * Output fields that are always present, enough to recognize a stranger's answer. Our own pages trust the service and don't
   * check them.
   */
  readonly output?: readonly string[];
}

export type OperationRequests<Name extends AnyOperationName = AnyOperationName> = {
  readonly [Each in Name]: OperationRequest;
};

const mostFields = 2;

/** The requests of these operations. */
export function requestsOf(declared: Readonly<Record<string, Operation>>): Readonly<Record<string, OperationRequest>> {
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
    ...(bare?.numbers && { numbers: bare.numbers }),
    ...(access !== "session" && access !== "operator" && { output: fields.slice(0, mostFields) }),
  };
}
