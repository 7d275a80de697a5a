import { once } from "node:events";
import { createServer } from "node:http";
import { ServiceError } from "@reelscript/contract";
import { envelopeOf, errorHeaders } from "../run/error-response.ts";

/** A port that nobody else can take until the service listens on it. */
export interface HeldPort {
  /** Call this right before the service listens there. */
  release(): Promise<void>;
}

const starting = new ServiceError("unavailable", "The service is starting. Try again in a few seconds.", {
  retryAfter: 5,
});

/**
 * Holds a port while the process starts, and answers `/healthz` with 200 and everything else with 503: a start that brings
 * tables up to date may take minutes. Port 0 means any free port, so there is nothing to hold. Throws if the port is taken.
 */
export async function holdPort(host: string, port: number): Promise<HeldPort> {
  if (port === 0) return { release: async () => undefined };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, ({ url = "" }, response) => {
    const isAlive = url.split("?")[0] === "/healthz";
    response
      .writeHead(isAlive ? 200 : starting.status, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        connection: "close",
        ...(!isAlive && errorHeaders(starting)),
      })
      .end(JSON.stringify(isAlive ? { status: "ok" } : envelopeOf(starting)));
  });
  server.maxConnections = 50;
  server.listen(port, host);
  await once(server, "listening");
  return {
    async release() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
