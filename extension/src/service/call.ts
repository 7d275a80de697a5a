import {
  CallError,
  createCore,
  type AnyOperationName,
  type CallOptions,
  type Core,
  type CoreOptions,
  type Input,
  type Output,
} from "@reelscript/client/core";
import { peopleRequests, programRequests } from "@reelscript/contract/requests";
import { peopleBasePath } from "@reelscript/contract/values";
import { dropConnection, readConnection, type Connection } from "./connection.ts";

const requests = { ...programRequests, ...peopleRequests };

/** Work that takes longer is answered immediately and followed. */
const timeoutSeconds = 120;

/** The service of a connection. */
export const serviceAt = (
  { baseUrl, token }: Pick<Connection, "baseUrl"> & { readonly token: string | undefined },
  /** Shows the waits; without it, a call that would have to wait fails, because invisible waits look broken. */
  waiting?: Pick<CoreOptions<AnyOperationName>, "onWait" | "sleep">,
): Core<AnyOperationName> =>
  createCore({
    baseUrl,
    basePath: peopleBasePath,
    apiKey: token,
    requests,
    service: "Reelscript",
    fetch: async (input, init) => fetch(input, { ...init, credentials: "omit" }),
    ...(waiting ?? { retry: false }),
    followPace: { longestPause: 2, failures: 8 },
  });

/** Calls the service with the connection's token. Throws `CallError`. */
export const call = <Name extends AnyOperationName>(
  name: Name,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<Output<Name>> =>
  connected(async (connection) => serviceAt(connection).call(name, input, { timeoutSeconds, ...options }));

/** Uses the connection; drops one that the service no longer accepts. Throws `CallError`. */
export async function connected<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await readConnection();
  if (connection === undefined) throw notConnected();
  try {
    return await use(connection);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "unauthorized") throw error;
    await dropConnection();
    throw notConnected();
  }
}

const notConnected = (): CallError =>
  new CallError("unauthorized", "This extension is no longer connected. Connect it again to continue.");

export const asCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError("internalError", "Something went wrong in this extension.");
