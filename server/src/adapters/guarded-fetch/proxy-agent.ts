import type { Agent, AgentOptions } from "node:http";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import { FetchFailure } from "./fetch-failure.ts";

/** A proxy that opens tunnels (CONNECT). */
export interface Proxy {
  /** With its credentials: never shown. */
  readonly url: string;
  /** `host:port`, for people. */
  readonly name: string;
}

type Connected = (error: Error | null, socket?: unknown) => void;
type CreateConnection = (options: AgentOptions, connected: Connected) => unknown;

/** Tunnels one request. Until the tunnel is there, every failure is the proxy's. The signal ends the request for it, too. */
export function createProxyAgent(proxy: Proxy, isSecure: boolean, signal: AbortSignal): Agent {
  const tunnel = { headers: {}, signal };
  const agent = new (isSecure ? HttpsProxyAgent : HttpProxyAgent)({ proxy: proxy.url, proxyRequestOptions: tunnel });
  const tunneled = agent as unknown as { createConnection: CreateConnection }; // safe: hpagent calls back
  const connect = tunneled.createConnection.bind(agent);
  tunneled.createConnection = (options, connected) =>
    connect(options, (error, socket) => connected(error && failureOf(proxy, error), socket));
  return agent;
}

/** Without the cause: it may hold what the proxy answered, and a proxy may repeat the credentials. */
function failureOf({ name }: Proxy, error: Error): FetchFailure {
  const { code } = error as NodeJS.ErrnoException;
  const status = /^Bad response: (\d{3})$/.exec(error.message)?.[1];
  const said = status === undefined ? (code ?? "no answer") : `it answered ${status}`;
  return new FetchFailure("proxyFailed", `the proxy ${name} opened no tunnel: ${said}`);
}
