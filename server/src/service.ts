import type { AddressInfo } from "node:net";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import { guidesDirectory, loadGuides } from "./adapters/guides/load-guides.ts";
import { createAuthenticate } from "./authenticate.ts";
import { createHandlers } from "./create-handlers.ts";
import { createReadAnew } from "./features/billing/read-anew.ts";
import { receiveEvent } from "./features/billing/receive-event.ts";
import { preview as previewBioPage } from "./features/bio/preview.ts";
import { showContentType } from "./http/content-type.ts";
import { createHttp } from "./http/create-http.ts";
import { llmsText } from "./http/llms-text.ts";
import { createIdempotency } from "./idempotency.ts";
import { createMcp } from "./mcp/create-mcp.ts";
import type { Biller, StoredGuide } from "./ports.ts";
import { createRequestLog } from "./request-log.ts";
import { createRun } from "./run.ts";
import type { Ports, Report, ServiceSettings } from "./service-settings.ts";
import { startBillingReconciliation } from "./worker/billing-reconciliation.ts";
import { startBioFolding } from "./worker/bio-folding.ts";
import { createSignIn } from "./sign-in/create-sign-in.ts";
import { startTranscriptionWorker } from "./worker/transcription-worker.ts";

export interface Service {
  /** Where it listens, such as http://127.0.0.1:8787; `undefined` for a process that only works the queue. */
  readonly url: string | undefined;
  /** Refuses new calls, tells waiting ones to come again, gives work in hand back to the queue. */
  stop(): Promise<void>;
}

/** Joins ports, use-cases and doors, and starts to serve. Tests start this. */
export async function startService(settings: ServiceSettings, ports: Ports, report: Report): Promise<Service> {
  const closing = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  let url: string | undefined;
  if (settings.role !== "worker") {
    const guides = await loadGuides(guidesDirectory);
    const { store, biller, clock } = ports;
    if (biller === undefined) throw new Error("a process that answers needs a biller");
    const needs = { billing: store.billing, biller, clock, ...report };
    const readAnew = createReadAnew(needs);
    const takeEvent = receiveEvent({ ...needs, readAnew });
    const door = createDoors(
      settings,
      { ...ports, biller },
      guides,
      takeEvent,
      closing.signal,
      () => url ?? "",
      report,
    );
    closers.push(() => door.close());
    await door.listen({ host: settings.host, port: settings.port });
    url = settings.baseUrl ?? addressOf(door, settings.host);
    ports.developmentBiller?.open(url);
    const reconciliation = startBillingReconciliation({
      billing: store.billing,
      readAnew,
      clock,
      onFault: (error) => report.onFault(error, "reading subscriptions again"),
    });
    closers.push(() => reconciliation.stop());
  }
  if (settings.role !== "api") {
    if (ports.transcriber === undefined) throw new Error("a process that works the queue needs a transcriber");
    const { store, source, transcriber, clock } = ports;
    const worker = startTranscriptionWorker({
      store,
      source,
      transcriber,
      clock,
      name: `worker-${process.pid}`,
      workDirectory: settings.workDirectory,
      concurrency: settings.slots + 1,
      onFault: (error, claim) => report.onFault(error, claim ? `transcription ${claim.transcriptionId}` : "worker"),
    });
    closers.push(() => worker.stop());
    const folding = startBioFolding({
      bioEvents: store.bioEvents,
      clock,
      onFault: (error) => report.onFault(error, "folding of bio events"),
    });
    closers.push(() => folding.stop());
  }
  return {
    url,
    async stop() {
      closing.abort(
        new ServiceError(
          "unavailable",
          "The service is going down; work in hand goes on when it is back. Try again in a few seconds.",
          { retryAfter: 10 },
        ),
      );
      for (const close of closers.toReversed()) await close();
    },
  };
}

function createDoors(
  settings: ServiceSettings,
  ports: Ports & { readonly biller: Biller },
  guides: readonly StoredGuide[],
  takeEvent: ReturnType<typeof receiveEvent>,
  closing: AbortSignal,
  baseUrl: () => string,
  report: Report,
): FastifyInstance {
  const { store, clock } = ports;
  const handlers = createHandlers(settings, ports, guides, baseUrl, report);
  const idempotency = createIdempotency({
    answers: store.idempotentAnswers,
    clock,
    onFault: (error) => report.onFault(error, "idempotent answers"),
  });
  const { keyRequests, rateLimits, thumbnails } = store;
  const requestLog = createRequestLog({ keyRequests, onFault: (error) => report.onFault(error, "request log") });
  const run = createRun({
    handlers,
    rateLimits,
    limits: settings.rateLimits,
    sessionLimits: settings.sessionRateLimits,
    idempotency,
    clock,
    onAnswered: requestLog.note,
    ...report,
  });
  const authenticate = createAuthenticate({ keys: store.keys, clock });
  const { rateLimits: limits, quotaScope, trustProxy } = settings;
  const describe = (): string => llmsText({ baseUrl: baseUrl(), guides, limits, quotaScope });
  const signIn = createSignIn({
    ...store,
    settings: settings.signIn,
    limit: settings.signInLimit,
    clock,
    baseUrl,
    direct: settings.baseUrl === undefined,
    showContentType,
    ...report,
  });
  const http = createHttp({
    run,
    authenticate,
    authenticatePerson: signIn.authenticatePerson,
    receiveEvent: takeEvent,
    developmentBiller: ports.developmentBiller,
    previewBioPage: previewBioPage({ bioPages: store.bioPages, clock, baseUrl }),
    thumbnails,
    baseUrl,
    llmsText: describe,
    trustProxy,
    closing,
    ...report,
  });
  signIn.serve(http);
  const mcp = createMcp({ run, authenticate, hostnames: hostnamesOf(settings), closing, ...report });
  http.all("/mcp", async (request, reply) => {
    reply.hijack();
    showContentType(request.raw);
    reply.raw.setHeader("x-request-id", request.id).setHeader("cache-control", "no-store");
    await mcp.handle(request.raw, reply.raw, request.ip);
  });
  http.addHook("onClose", async () => {
    await mcp.close();
    await requestLog.stop();
  });
  return http;
}

function addressOf(door: FastifyInstance, host: string): string {
  const { port } = door.server.address() as AddressInfo; // safe: it listens on a port, never on a socket file
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

function hostnamesOf({ host, baseUrl }: ServiceSettings): string[] {
  const names = ["localhost", "127.0.0.1", "[::1]", host];
  if (baseUrl !== undefined) names.push(new URL(baseUrl).hostname);
  return [...new Set(names)];
}
