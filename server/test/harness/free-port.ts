import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems assign to connections and servers, so that nobody takes it meanwhile. */
const lowest = 10_000;
const ofProcess = 10;
let given = 0;

export async function freePort(): Promise<number> {
  for (;;) {
    // Neighboring processes start at different ports.
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
