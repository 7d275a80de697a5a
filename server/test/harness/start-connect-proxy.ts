import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import { listen } from "./listen.ts";

interface Target {
  readonly host: string;
  readonly port: number;
}

interface ConnectProxyOptions {
  /** `user:password`, which every tunnel requires. */
  readonly credentials?: string;
  /** Redirects a tunnel to another target. */
  readonly route?: (target: Target) => Target;
}

export interface ConnectProxy {
  /** URL with the credentials. */
  readonly url: string;
  /** `host:port` */
  readonly name: string;
  /** Names and ports of requested tunnels, in order. */
  readonly requestedHosts: readonly string[];
  /** From now on, every tunnel receives only these bytes, or nothing at all. */
  answer(bytes: string | undefined): void;
  /** Opens tunnels again. */
  open(): void;
  close(): Promise<void>;
}

/** A proxy on this machine that opens tunnels, and can misbehave in every way that proxies do. */
export async function startConnectProxy({
  credentials,
  route = (to) => to,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const requestedHosts: string[] = [];
  const sockets = new Set<net.Socket>();
  let fault: { readonly bytes: string | undefined } | undefined;
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket.on("error", () => undefined));
    return socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, near: net.Socket) => {
    keep(near);
    requestedHosts.push(request.url ?? "");
    if (fault) return void (fault.bytes !== undefined && near.write(fault.bytes));
    const given = Buffer.from(request.headers["proxy-authorization"]?.replace("Basic ", "") ?? "", "base64").toString();
    if (credentials !== undefined && given !== credentials)
      return void near.end(`HTTP/1.1 407 Who are you\r\nx-you-said: ${given}\r\n\r\n`);
    const { hostname, port } = new URL(`tcp://${request.url}`);
    const target = route({ host: hostname, port: Number(port) });
    const far = keep(net.connect(target.port, target.host));
    far.once("connect", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    far.once("error", () => near.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  const { port } = await listen(server);
  const name = `127.0.0.1:${port}`;
  return {
    url: `http://${credentials === undefined ? "" : `${credentials}@`}${name}`,
    name,
    requestedHosts,
    answer(bytes) {
      fault = { bytes };
    },
    open() {
      fault = undefined;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
