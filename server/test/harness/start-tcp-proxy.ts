import { once } from "node:events";
import net from "node:net";
import { listen } from "./listen.ts";

export interface TcpProxy {
  readonly port: number;
  /** Transmits nothing in either direction and closes nothing; new connections hang, too. */
  freeze(): void;
  /** New connections work again; earlier ones stay dead. */
  thaw(): void;
  /** The number of connections opened through it so far. */
  readonly opened: () => number;
  close(): Promise<void>;
}

/** A proxy to a server on this machine that can turn into a black hole. */
export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let frozen = false;
  let opened = 0;
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket.on("error", () => undefined));
    return socket.once("close", () => sockets.delete(socket));
  };
  const server = net.createServer((near) => {
    keep(near);
    opened += 1;
    if (frozen) return void near.pause();
    const far = keep(net.connect(target.port, target.host));
    near.pipe(far).pipe(near);
  });
  const { port } = await listen(server);
  return {
    port,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw() {
      frozen = false;
    },
    opened: () => opened,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
