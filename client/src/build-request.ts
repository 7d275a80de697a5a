import { fieldLocation, fillPath, hasBody, type RequestShape, restBasePath } from "@reelscript/contract/values";
import { CallError } from "./call-error.ts";

/** The address, method, headers and body of one call. */
export interface PreparedRequest {
  readonly url: URL;
  readonly method: RequestShape["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface Circumstances {
  readonly baseUrl: string;
  /** Below which the operations are; that of the REST interface unless given. */
  readonly basePath?: string;
  readonly apiKey?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** A preference for how the call is answered. */
  readonly prefer?: "respond-async" | undefined;
  /** Media types in the order of preference; JSON unless given. */
  readonly accept?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Puts each input field where the contract places it. */
export function buildRequest(
  http: RequestShape,
  input: object,
  { baseUrl, basePath = restBasePath, apiKey, idempotencyKey, prefer, accept = "application/json" }: Circumstances,
): PreparedRequest {
  const fields = fieldsAt(http, input);
  const tag = fields("header")[0]?.[1];
  return {
    url: new URL(baseUrl + basePath + addressOf(http, input)),
    method: http.method,
    headers: {
      accept,
      ...(hasBody(http) && { "content-type": "application/json" }),
      ...(prefer !== undefined && { prefer }),
      ...(tag !== undefined && { "if-match": `"${queryText(tag)}"` }),
      ...(http.idempotent && idempotencyKey !== undefined && { "idempotency-key": readIdempotencyKey(idempotencyKey) }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: hasBody(http) ? JSON.stringify(Object.fromEntries(fields("body"))) : undefined,
  };
}

/** The path and the query of a call, below the base path. */
export function addressOf(http: RequestShape, input: object): string {
  const fields = fieldsAt(http, input);
  const path = fillPath(http.path, (field) => pathSegment(field, (input as Fields)[field]));
  const query = new URLSearchParams();
  for (const [field, value] of fields("query")) for (const item of [value].flat()) query.append(field, queryText(item));
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

const fieldsAt = (http: RequestShape, input: object) => {
  const given = Object.entries(input as Fields).filter(([, value]) => value !== undefined);
  return (location: ReturnType<typeof fieldLocation>) =>
    given.filter(([field]) => fieldLocation(http, field) === location);
};

function pathSegment(field: string, value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  // URL parsing folds "." and ".." away, and the call would reach another operation.
  if (/^\.{0,2}$/.test(text)) throw new CallError("invalidRequest", `${field} is missing or not an id`);
  return encodeURIComponent(text);
}

const queryText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function readIdempotencyKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new TypeError("The idempotency key must be 1 to 255 visible ASCII characters without spaces.");
  return key;
}

/** An answer whose body has arrived. */
export interface ReceivedAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Sends a request once. Throws `CallError` if there is no answer, and the signal's reason if it is aborted. */
export async function sendRequest(
  { url, method, headers, body }: PreparedRequest,
  options: {
    readonly fetch: typeof globalThis.fetch;
    /** How errors name the service. */
    readonly service: string;
    readonly signal: AbortSignal | undefined;
    /** Waits without an end unless given. */
    readonly timeoutSeconds?: number;
    /** Reads the body; as text unless given. */
    readonly read?: (response: Response) => Promise<string>;
  },
): Promise<ReceivedAnswer> {
  const { fetch: send, service, signal, timeoutSeconds, read = (answer) => answer.text() } = options;
  signal?.throwIfAborted();
  const timeout = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1_000);
  const signals = [signal, timeout].filter((one) => one !== undefined);
  try {
    // Redirects are not followed: they would turn a POST into a GET and may lead the key astray.
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal: signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null),
    });
    return { response, text: await read(response) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CallError) throw error;
    throw timeout?.aborted
      ? new CallError("timeout", `${service} didn't respond within ${timeoutSeconds} s.`, { cause: error })
      : new CallError("unreachable", `Can't reach ${service}${reasonOf(error)}. Try again in a moment.`, {
          cause: error,
        });
  }
}

/** The system's code for a failed connection, such as ECONNREFUSED; `fetch` hides it in causes. */
export function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "") return ` (${cause.code})`;
  return "";
}
