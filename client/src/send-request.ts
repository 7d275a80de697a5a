import type { PreparedRequest } from "./build-request.ts";
import { ConnectionError, UnexpectedAnswer } from "./client-errors.ts";

/** An answer whose body has arrived. */
export interface ReceivedAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Sends a request once. Throws `ConnectionError` when no answer comes, and the signal's reason when it is aborted. */
export async function sendRequest(
  { url, method, headers, body }: PreparedRequest,
  options: {
    readonly fetch: typeof globalThis.fetch;
    /** How errors name the service. */
    readonly service: string;
    readonly signal: AbortSignal | undefined;
    /** Waits without an end unless given. */
    readonly timeoutSeconds?: number;
    /** Whether the request may outlive the page that sends it. */
    readonly keepalive?: boolean;
    /** Reads the body; as text unless given. */
    readonly read?: (response: Response) => Promise<string>;
  },
): Promise<ReceivedAnswer> {
  const { fetch: send, service, signal, timeoutSeconds, keepalive, read = textOf } = options;
  signal?.throwIfAborted();
  const timeout = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1_000);
  const signals = [signal, timeout].filter((one) => one !== undefined);
  try {
    // Redirects are not followed: they would turn a POST into a GET and may lead the key astray.
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(keepalive && { keepalive }),
      redirect: "manual",
      signal: signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null),
    });
    return { response, text: await read(response) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UnexpectedAnswer) throw error;
    throw timeout?.aborted
      ? new ConnectionError("timeout", `${service} did not answer within ${timeoutSeconds} s.`, error)
      : new ConnectionError("unreachable", `Cannot reach ${service}${reasonOf(error)}.`, error);
  }
}

const textOf = (response: Response): Promise<string> => response.text();

/** The system's word for a failed connection, such as ECONNREFUSED; `fetch` hides it in causes. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "") return ` (${cause.code})`;
  return "";
}
