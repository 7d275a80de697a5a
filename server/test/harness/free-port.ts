import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to connections and servers without a port of their own, so that nobody gets it meanwhile. */
const lowest = 10_000;
const ofProcess = 10;
let given = 0;

export async function freePort(): Promise<number> {
  for (;;) {
    // Neighboring processes begin at different ports.
    const port = lowest + (process.pid % 2_000) * ofProcess + (given % ofProcess);
    given += 1;
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
