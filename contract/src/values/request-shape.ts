/** Path of the REST operations under the service's address, with the major version. */
export const restBasePath = "/api/v1";

/** Path of the operations for signed-in people, who have a session instead of a key. */
export const peopleBasePath = "/app/api";

/**
 * Pattern of `If-Match`: an `ETag` from a response, which is a whole number that a cache on the way may have weakened, or
 * `*`, which matches every response. The only group is the number.
 */
export const entityTagPattern = '^(?:\\*|(?:W/)?"(\\d{1,15})")$';

/** The HTTP request of an operation. It has no schemas, so that pages can use it too. */
export interface RequestShape {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Its placeholders name input fields. */
  readonly path: `/${string}`;
  /** Input fields of a POST or PATCH that go in the query, not in the body. */
  readonly query?: readonly string[];
  /** Maximum bytes of the body, if it is more than the usual 64 KiB. */
  readonly maxBodyBytes?: number;
  /** True if a request may carry an `Idempotency-Key`: its response is then kept for 24 hours and repeated. */
  readonly idempotent?: true;
  /** The output field that is the response's `ETag`, and the input field that the request sends as `If-Match`. */
  readonly entityTag?: { readonly output: string; readonly ifMatch?: string };
}

export type FieldLocation = "path" | "query" | "header" | "body";

export const hasBody = ({ method }: Pick<RequestShape, "method">): boolean => method === "POST" || method === "PATCH";

/** Says where an input field goes in a request. The only field that goes in a header is `If-Match`. */
export function fieldLocation(shape: RequestShape, field: string): FieldLocation {
  if (fieldsInPath(shape.path).includes(field)) return "path";
  if (field === shape.entityTag?.ifMatch) return "header";
  return hasBody(shape) && !shape.query?.includes(field) ? "body" : "query";
}

const placeholder = /\{(\w+)\}/g;

export const fieldsInPath = (path: string): string[] => Array.from(path.matchAll(placeholder), ([, field]) => field!);

/** The path with each placeholder replaced by what `write` gives for its field. */
export const fillPath = (path: string, write: (field: string) => string): string =>
  path.replace(placeholder, (_, field: string) => write(field));
