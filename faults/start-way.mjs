import { once } from "node:events";
import net from "node:net";

/** A way to a server over TCP that can be cut, turn into a black hole, or stop at a certain piece. */
export async function startWay({ host, port }) {
  const connections = new Set();
  let mode = "open";
  let trap;

  function carry(connection, from, to) {
    from.on("data", (piece) => {
      if (connection.silent) return;
      if (trap && from === connection.near && piece.includes(trap.text)) spring(connection);
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
  function spring(connection) {
    connection.held = { before: trap.before, pieces: [] };
    trap.sprung = true;
    trap.connection = connection;
    trap.text = "\0 no piece has this";
  }

  const server = net.createServer((near) => {
    const connection = { near, far: new net.Socket(), silent: mode === "silent" };
    if (mode === "cut") return void near.resetAndDestroy();
    connections.add(connection);
    if (!connection.silent) connection.far.connect(port, host);
    carry(connection, near, connection.far);
    carry(connection, connection.far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: server.address().port,
    /** Of the ends toward the server. */
    farPorts: () => [...connections].map(({ far }) => far.localPort).filter(Boolean),
    /** Connections break, and new ones break as soon as they are made. */
    cut() {
      mode = "cut";
      for (const { near, far } of connections) {
        near.resetAndDestroy();
        far.destroy();
      }
    },
    /** Nothing is passed in either direction and nothing is closed, for new connections too. */
    silence() {
      mode = "silent";
      for (const connection of connections) connection.silent = true;
    },
    /** New connections pass; those that fell silent stay dead. */
    open() {
      mode = "open";
      for (const connection of connections) if (connection.silent) connection.far.destroy();
    },
    /**
     * Stops a connection at the next piece toward the server that has `text`: before that piece (`before`), or so that
     * its answer never comes back.
     */
    holdAt(text, { before }) {
      trap = { text, before, sprung: false };
    },
    isHolding: () => trap?.sprung === true,
    /** What was held goes where it was sent to. */
    release() {
      const connection = trap?.connection;
      trap = undefined;
      if (!connection?.held) return;
      const { before, pieces } = connection.held;
      connection.held = undefined;
      for (const piece of pieces) (before ? connection.far : connection.near).write(piece);
    },
    async close() {
      for (const { near, far } of connections) for (const socket of [near, far]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
