import { once } from "node:events";
import { chmod, lstat, mkdir, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { AdminError } from "./admin-error.ts";
import type { StoreTools } from "./command.ts";
import { storeCommandNamed } from "./store-commands.ts";

/** Bytes; enough for the largest file of collected reels. */
const longestRequest = 9_000_000;
/** Milliseconds that running commands have to end when the service stops. */
const longestFarewell = 1_000;

/**
 * Lets the operator's program work on the store while the service holds it: `POST /<noun>/<verb>` with a JSON object over a
 * socket that only the service's own user can open (a named pipe on Windows). The socket of a killed process is replaced;
 * throws `AdminError` when a living one answers there. Start it after the store was opened: the store's lock is what keeps
 * two services apart.
 */
export async function startAdminSocket(
  options: StoreTools & {
    readonly path: string;
    /** Receives our faults; the operator's program only learns that they happened. */
    readonly onError?: (error: unknown) => void;
  },
): Promise<{ close(): Promise<void> }> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    void answer(options, request, response, options.onError ?? (() => undefined));
  });
  if (isPipe(options.path)) await listen(server, options.path);
  else await listenPrivately(server, options.path);
  return {
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      const hurry = setTimeout(() => server.closeAllConnections(), longestFarewell);
      await closed;
      clearTimeout(hurry);
    },
  };
}

const isPipe = (address: string): boolean => address.startsWith("\\\\");

async function listenPrivately(server: Server, address: string): Promise<void> {
  const folder = path.dirname(address);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  // In the shared temporary directory another user could have created the folder first.
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new AdminError("refused", `${folder} is not a folder of this user; remove it and start again`);
  await chmod(folder, 0o700);
  try {
    await listen(server, address);
  } catch (error) {
    if (!isSystemError(error, "EADDRINUSE")) throw error;
    await removeStale(address);
    await listen(server, address);
  }
  await chmod(address, 0o600);
}

async function listen(server: Server, address: string): Promise<void> {
  server.listen(address);
  await once(server, "listening");
}

async function removeStale(address: string): Promise<void> {
  if (await isAnswered(address))
    throw new AdminError("refused", `another service with the same data listens at ${address}`);
  if (!(await lstat(address)).isSocket())
    throw new AdminError("refused", `${address} is in the way; it is not a socket`);
  await unlink(address);
}

async function isAnswered(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    if (isSystemError(error, "ECONNREFUSED") || isSystemError(error, "ENOENT")) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

const isSystemError = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

async function answer(
  tools: StoreTools,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (error: unknown) => void,
): Promise<void> {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(body));
  };
  try {
    const command = storeCommandNamed(request.url?.slice(1).replace("/", " ") ?? "");
    if (request.method !== "POST" || command === undefined)
      throw new AdminError("usage", "this service doesn't know the command; does it run another version?");
    send(200, await command.carryOut(await readJson(request), tools));
  } catch (error) {
    if (error instanceof AdminError) return send(400, { kind: error.kind, message: error.message });
    onError(error);
    send(500, { kind: "refused", message: "the service failed; see its log" });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestRequest) throw new AdminError("usage", "the request is too long");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new AdminError("usage", "the request is not JSON");
  }
}
