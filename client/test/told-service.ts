import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type ClientOptions, createClient, type Wait } from "@reelscript/client";
import { afterAll, beforeAll, beforeEach } from "vitest";

interface SeenRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ToldAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown;
}

type AnyToldAnswer = ToldAnswer | ((response: ServerResponse) => void);

interface ToldService {
  readonly url: string;
  /** The requests since it was last told what to answer. */
  readonly seen: readonly SeenRequest[];
  /** Replaces the answers that are left. */
  tell(...answers: readonly AnyToldAnswer[]): void;
  close(): Promise<void>;
}

/** Such a server for all tests of a file; its address is known once they run. */
export function useToldService(): ToldService {
  const service = {} as ToldService;
  beforeAll(async () => void Object.assign(service, await startToldService()));
  afterAll(() => service.close());
  return service;
}

/** A client whose waits are noted instead of spent. */
export function useHastyClient(service: { readonly url: string }) {
  const waits: Wait[] = [];
  const slept: number[] = [];
  beforeEach(() => [waits, slept].forEach((noted) => noted.splice(0)));
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: service.url,
      apiKey: "svc_sk_example",
      onWait: (wait) => waits.push(wait),
      sleep: async (seconds) => void slept.push(seconds),
      ...options,
    });
  return { connect, waits, slept };
}

/** An HTTP server that gives the answers it was told, in order; one more request than told is answered 599. */
export async function startToldService(): Promise<ToldService> {
  const answers: AnyToldAnswer[] = [];
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ method: request.method, path: request.url, headers: request.headers, body });
      const answer = answers.shift() ?? { status: 599, body: "not told what to answer" };
      if (typeof answer === "function") return answer(response);
      const json = typeof answer.body !== "string";
      response.writeHead(answer.status ?? 200, {
        "content-type": json ? "application/json" : "text/html",
        ...answer.headers,
      });
      response.end(json ? JSON.stringify(answer.body) : answer.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    tell: (...more) => {
      answers.splice(0);
      answers.push(...more);
      seen.splice(0);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export const usage = {
  plan: "free",
  transcriptions: { used: 3, limit: 10, resetsAt: null },
};

export const transcribed = {
  transcript: "The first thing you should know about espresso is that it is a method, not a bean.",
  language: "en",
  cached: false,
  usage: { used: 4, limit: 10 },
};

export const refusal = (code: string, message: string) => ({ error: { code, message } });
