import { type Operation, restBasePath, ServiceError } from "@reelscript/contract";

/** The address, method, headers and body of one call. */
export interface PreparedRequest {
  readonly url: URL;
  readonly method: Operation["http"]["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Where the service is: everything before `/api/v1`, checked, without a trailing slash. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `The address of the service must be an http(s) URL such as http://127.0.0.1:8787, not "${text}".`,
    );
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The address of the service must not carry a user name or password.");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Checks that a key can be sent at all, so that a stray line break is not mistaken for a broken connection. */
export function readApiKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("The API key must be one word of visible ASCII characters, as it was shown when it was made.");
  return key;
}

function readIdempotencyKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new TypeError("The idempotency key must be 1 to 255 visible ASCII characters without spaces.");
  return key;
}

/** Placeholders of the path and `If-Match` are filled from the input; what is left goes to the query or the JSON body. */
export function buildRequest(
  { http: { method, path, query, entityTag, idempotent } }: Operation,
  input: Readonly<Record<string, unknown>>,
  {
    baseUrl,
    apiKey,
    idempotencyKey,
  }: { readonly baseUrl: string; readonly apiKey: string | undefined; readonly idempotencyKey?: string | undefined },
): PreparedRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return pathSegment(field, value);
  });
  const url = new URL(`${baseUrl}${restBasePath}${filled}`);
  const tag = entityTag?.ifMatch === undefined ? undefined : rest.get(entityTag.ifMatch);
  if (entityTag?.ifMatch !== undefined) rest.delete(entityTag.ifMatch);
  const inBody = method === "POST" || method === "PATCH";
  for (const [field, value] of rest) {
    if (inBody && !query?.includes(field)) continue;
    for (const item of [value].flat()) url.searchParams.append(field, queryText(item));
    rest.delete(field);
  }
  return {
    url,
    method,
    headers: {
      accept: "application/json",
      ...(inBody && { "content-type": "application/json" }),
      ...(tag !== undefined && { "if-match": `"${queryText(tag)}"` }),
      ...(idempotent && idempotencyKey !== undefined && { "idempotency-key": readIdempotencyKey(idempotencyKey) }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: inBody ? JSON.stringify(Object.fromEntries(rest)) : undefined,
  };
}

function pathSegment(field: string, value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  // URL parsing folds "." and ".." away, and the call would reach another operation.
  if (/^\.{0,2}$/.test(text)) throw new ServiceError("invalidRequest", `${field} is missing or not an id`);
  return encodeURIComponent(text);
}

const queryText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
