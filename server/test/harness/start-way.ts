import { once } from "node:events";
import net from "node:net";
import { freePort } from "./free-port.ts";

export interface Way {
  /** The given address, through this proxy. */
  readonly url: string;
  /** Breaks connections and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /**
   * After the client has sent the next piece that contains `text`, nothing from the client gets through, as if it were frozen.
   */
  freezeAfter(text: string): void;
  readonly frozen: boolean;
  close(): Promise<void>;
}

/** A TCP proxy to a server that can cut connections and freeze its clients. */
export async function startWay(url: string): Promise<Way> {
  const target = new URL(url);
  const sockets = new Set<net.Socket>();
  let trigger: string | undefined;
  let frozen = false;
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
    near.on("data", (piece) => {
      if (frozen) return;
      far.write(piece);
      frozen = trigger !== undefined && piece.includes(trigger);
    });
    near.on("close", () => void (frozen || far.destroy()));
    far.pipe(near);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = async (): Promise<void> => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await once(server, "close");
  };
  // A port on which nobody else listens while it is cut.
  const port = await freePort();
  await listen(port);
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href,
    cut,
    restore: () => listen(port),
    freezeAfter: (text) => void (trigger = text),
    get frozen() {
      return frozen;
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
