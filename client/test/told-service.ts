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
  const notedWaits: Wait[] = [];
  const slept: number[] = [];
  beforeEach(() => [notedWaits, slept].forEach((noted) => noted.splice(0)));
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: service.url,
      apiKey: "svc_sk_example",
      onWait: (wait) => notedWaits.push(wait),
      sleep: async (seconds) => void slept.push(seconds),
      ...options,
    });
  return { connect, waits: notedWaits, slept };
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

interface ToldLink {
  readonly url: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A batch as the service describes it; finished unless a link isn't. */
export function toldBatch(id: string, links: readonly ToldLink[], more: object = {}) {
  const count = (...states: readonly string[]) => links.filter(({ status }) => states.includes(status)).length;
  return {
    id,
    status: count("waiting", "queued", "running") === 0 ? "finished" : "open",
    createdAt: "2026-11-20T09:59:50.000Z",
    counts: {
      total: links.length,
      waiting: count("waiting"),
      underWay: count("queued", "running"),
      done: count("done"),
      failed: count("failed"),
      canceled: count("canceled"),
      retryable: 0,
      duplicates: 0,
    },
    links,
    ...more,
  };
}

/** The estimate of a batch of so many fresh reels. */
export const toldEstimate = (reels: number, more: object = {}) => ({
  reels,
  duplicates: 0,
  notReels: 0,
  shareLinks: 0,
  cached: 0,
  fresh: reels,
  fit: reels,
  usage: { used: 0, limit: 250 },
  ...more,
});

export const toldScripts = (...ids: readonly string[]) => ({
  scripts: ids.map((id) => ({ id, reelUrl: `https://a.example/${id}`, transcript: `Words of ${id}.`, language: "en" })),
  total: ids.length,
});

export const refusal = (code: string, message: string) => ({ error: { code, message } });
