import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { ServiceError } from "@reelscript/contract";
import type { Metrics } from "./metrics.ts";

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const loopback = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/** Metrics and health on a separate port, for the operator's machines and not for callers. */
export async function startMetricsServer({
  host,
  port,
  metrics,
  ready,
  notes = () => [],
}: {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly ready: () => Promise<void>;
  /** Problems that don't keep calls from being answered; one sentence each. */
  readonly notes?: () => readonly string[];
}): Promise<MetricsServer> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, type: string, body: string): void =>
      void response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    const say = (status: number, word: string): void => send(status, "text/plain; charset=utf-8", `${word}\n`);
    // A web page's own host name may resolve to this machine.
    if (loopback.test(host) && !loopback.test(hostnameOf(request))) return say(421, "unknown host");
    if (request.method !== "GET" && request.method !== "HEAD") return say(405, "use GET");
    const [path = ""] = (request.url ?? "").split("?");
    switch (path) {
      case "/metrics":
        return send(200, metrics.contentType, await metrics.text());
      case "/healthz":
        return say(200, "ok");
      case "/readyz":
        return ready().then(
          () => say(200, ["ready", ...notes()].join("\n")),
          (error: unknown) => say(503, error instanceof ServiceError ? error.message : "not ready"),
        );
      default:
        return say(404, "nothing here");
    }
  }

  const server: Server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  server.maxConnections = 50;
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port, // safe: it listens on a port
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const hostnameOf = ({ headers: { host = "" } }: IncomingMessage): string => host.replace(/:\d+$/, "");
