import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface LoopbackServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens on the loopback address only; port 0 chooses a free one. Closing it ends open connections. */
export async function startLoopbackServer(port: number, handler: Handler): Promise<LoopbackServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await handler(request, response);
    } catch (error) {
      process.stderr.write(`stand-in: ${request.method} ${request.url}: ${String(error)}\n`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  // Longer than clients keep a connection, so that none is closed just as a request arrives.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
