import { once } from "node:events";
import net from "node:net";

interface Connection {
  readonly near: net.Socket;
  readonly far: net.Socket;
  silent: boolean;
  held?: { readonly before: boolean; readonly pieces: Buffer[] } | undefined;
}

/** A TCP route to a server that can be cut, turned into a black hole, redirected, or stopped at a certain piece. */
export interface Way {
  readonly port: number;
  /** Ports of the ends toward the server. */
  farPorts(): number[];
  /** New connections lead to another port. */
  lead(other: number): void;
  /** Connections break, and new ones break as soon as they are made. */
  cut(): void;
  /** Nothing is passed in either direction and nothing is closed, including new connections. */
  silence(): void;
  /** New connections work; those that fell silent stay dead. */
  open(): void;
  /**
   * Stops a connection at the next piece toward the server that contains `text`: either before that piece (`before`), or so
   * that its answer never arrives.
   */
  holdAt(text: string, side: { readonly before: boolean }): void;
  isHolding(): boolean;
  /** Sends the held pieces to their destination. Resolves when the server has answered. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function startWay({ host, port }: { readonly host: string; readonly port: number }): Promise<Way> {
  let target = port;
  const connections = new Set<Connection>();
  let mode: "open" | "cut" | "silent" = "open";
  let trap: { readonly text: string; readonly before: boolean; sprung?: Connection } | undefined;

  function carry(connection: Connection, from: net.Socket, to: net.Socket): void {
    from.on("data", (piece: Buffer) => {
      if (connection.silent) return;
      if (trap && !trap.sprung && from === connection.near && piece.includes(trap.text)) {
        connection.held = { before: trap.before, pieces: [] };
        trap.sprung = connection;
      }
      if (connection.held && (from === connection.near) === connection.held.before) connection.held.pieces.push(piece);
      else if (!to.write(piece)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    });
    from.on("close", () => {
      if (!connection.silent) to.destroy();
      if (connection.near.destroyed && connection.far.destroyed) connections.delete(connection);
    });
    from.on("error", () => undefined);
  }
  const server = net.createServer((near) => {
    const connection: Connection = { near, far: new net.Socket(), silent: mode === "silent" };
    if (mode === "cut") return void near.resetAndDestroy();
    connections.add(connection);
    if (!connection.silent) connection.far.connect(target, host);
    carry(connection, near, connection.far);
    carry(connection, connection.far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as net.AddressInfo).port,
    farPorts: () => [...connections].flatMap(({ far }) => far.localPort ?? []),
    lead: (other) => void (target = other),
    cut() {
      mode = "cut";
      for (const { near, far } of connections) {
        near.resetAndDestroy();
        far.destroy();
      }
    },
    silence() {
      mode = "silent";
      for (const connection of connections) connection.silent = true;
    },
    open() {
      mode = "open";
      for (const connection of connections) if (connection.silent) connection.far.destroy();
    },
    holdAt(text, { before }) {
      trap = { text, before };
    },
    isHolding: () => trap?.sprung !== undefined,
    async release() {
      const connection = trap?.sprung;
      trap = undefined;
      if (!connection?.held) return;
      const { before, pieces } = connection.held;
      connection.held = undefined;
      for (const piece of pieces) (before ? connection.far : connection.near).write(piece);
      if (before) await new Promise((resolve) => connection.far.once("data", resolve).once("close", resolve));
    },
    async close() {
      for (const { near, far } of connections) for (const socket of [near, far]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
