import { buildRequest, ConnectionError, readAnswer, RefusedError, sendRequest } from "@reelscript/client/core";
import { peopleBasePath, type ErrorCode, type ErrorReason } from "@reelscript/contract/values";
import { dropConnection, readConnection, type Connection } from "./connection.ts";
import { requests, type Input, type Output, type RequestName } from "./requests.ts";

/** An answer that is an error, or `unreachable` when none came. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  readonly code: ErrorCode | "unreachable";
  readonly reason: ErrorReason | undefined;
  readonly status: number;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode | "unreachable",
    message: string,
    details: {
      readonly reason?: ErrorReason | undefined;
      readonly status?: number | undefined;
      readonly retryAfter?: number | undefined;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.reason = details.reason;
    this.status = details.status ?? 0;
    this.retryAfter = details.retryAfter;
  }
}

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly prefer?: "respond-async";
  /** The same request again under the same key is done once. */
  readonly idempotencyKey?: string;
}

/** Work that takes longer is answered at once and followed. */
const timeoutSeconds = 120;

/** Asks the service with the token of the connection. Throws `Trouble`. */
export async function call<Name extends RequestName>(
  name: Name,
  input: Input<Name>,
  options: Options = {},
): Promise<Output<Name>> {
  const connection = await readConnection();
  if (connection === undefined) throw notConnected();
  return callWith(connection, name, input, options);
}

export async function callWith<Name extends RequestName>(
  { baseUrl, token }: Pick<Connection, "baseUrl"> & { readonly token: string | undefined },
  name: Name,
  input: Input<Name>,
  { signal, prefer, idempotencyKey }: Options = {},
): Promise<Output<Name>> {
  const request = buildRequest({ http: requests[name] }, input as Readonly<Record<string, unknown>>, {
    baseUrl,
    basePath: peopleBasePath,
    apiKey: token,
    prefer,
    idempotencyKey,
  });
  try {
    const answer = await sendRequest(request, {
      fetch: async (input, init) => fetch(input, { ...init, credentials: "omit" }),
      service: "Reelscript",
      signal,
      timeoutSeconds,
    });
    return readAnswer(answer, (body) =>
      typeof body === "object" && body !== null ? (body as Output<Name>) : undefined,
    );
  } catch (error) {
    signal?.throwIfAborted();
    const trouble = toTrouble(error);
    if (trouble.code === "unauthorized" && token !== undefined) await dropConnection();
    throw trouble;
  }
}

export const notConnected = (): Trouble =>
  new Trouble("unauthorized", "This extension is no longer connected. Connect it again to continue.");

export function toTrouble(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  if (error instanceof RefusedError) {
    if (error.code === "unauthorized") return notConnected();
    return new Trouble(error.code, error.message, error);
  }
  if (error instanceof ConnectionError)
    return new Trouble(
      "unreachable",
      navigator.onLine
        ? "Reelscript didn't answer. Try again in a minute."
        : "You're offline. Try again when you're connected.",
    );
  return new Trouble("unavailable", "Something other than Reelscript answered at this address.");
}
