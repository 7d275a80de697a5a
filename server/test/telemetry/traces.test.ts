import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createLog } from "../../src/telemetry/create-log.ts";
import { openTraces } from "../../src/telemetry/open-traces.ts";
import type { Traces } from "../../src/telemetry/telemetry.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector: what it was given over OTLP/HTTP with JSON. */
async function startCollector() {
  const spans: Span[] = [];
  const services = new Set<unknown>();
  const resources: { key: string; value: object }[] = [];
  const url = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        expect([request.method, request.url]).toEqual(["POST", "/v1/traces"]);
        const bytes = Buffer.concat(chunks);
        const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
        for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
          resources.push(...resource.attributes);
          services.add(
            resource.attributes.find(({ key }: { key: string }) => key === "service.name").value.stringValue,
          );
          for (const scope of scopeSpans) spans.push(...scope.spans);
        }
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    }),
  );
  return { url, spans, services, resources };
}

/** Each test opens its own, and the service, which all of them share, writes to it. */
let traces: Traces;
const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  telemetry: {
    log: createLog("silent"),
    metrics: undefined,
    decodings: new Map(),
    traces: { start: (...parameters) => traces.start(...parameters), close: async () => undefined },
  },
});

describe("traces", () => {
  test("show a request with its operation, and a transcription with its stages", async () => {
    const { url, spans, services, resources } = await startCollector();
    const attributes = { "deployment.environment": "prod", "reelscript.role": "mine" };
    traces = await openTraces(url, { role: "all", version: "1.0.0", attributes });
    const { key, accountId } = await service.createCaller();
    const reel = service.standin.reels.find(({ kind }) => kind === "speech")!;
    await transcribe(service.url, key, service.standin.urlOf(reel.code));
    const names = () => spans.map(({ name }) => name);
    await expect.poll(names).toEqual(expect.arrayContaining(["transcription", "POST /api/v1/transcribe"]));
    await traces.close();
    expect([...services]).toEqual(["reelscript"]);
    for (const [name, stringValue] of Object.entries({ ...attributes, "service.version": "1.0.0" }))
      expect(resources).toContainEqual({ key: name, value: { stringValue } });
    const root = spans.find(({ name }) => name === "POST /api/v1/transcribe")!;
    expect(root.parentSpanId ?? "").toBe("");
    expect(root.attributes).toContainEqual({ key: "reelscript.account_id", value: { stringValue: accountId } });
    expect(root.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
    expect(spans.find(({ name }) => name === "transcribeReel")).toMatchObject({
      traceId: root.traceId,
      parentSpanId: root.spanId,
    });
    const work = spans.find(({ name }) => name === "transcription")!;
    expect(work.links).toMatchObject([{ traceId: root.traceId, spanId: root.spanId }]);
    const ids = [work, root].map((span) => span.attributes.find((one) => one.key === "reelscript.transcription_id"));
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(ids[0]).toBeDefined();
    expect(work.attributes).toContainEqual({ key: "reelscript.account_id", value: { stringValue: accountId } });
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === work.spanId).map(({ name }) => name);
    expect(stages.toSorted()).toEqual(["decode", "fetch", "recognize", "store", "wait"]);
    expect(JSON.stringify(spans)).not.toContain(key);
    expect(JSON.stringify(spans)).not.toContain(reel.code);
  });

  test.each([
    ["is not there", async () => "http://127.0.0.1:9"],
    ["hangs", () => listen(createServer(() => undefined))],
    ["answers nonsense", () => listen(createServer((_request, response) => void response.writeHead(500).end("?")))],
  ])("that nobody takes, because the collector %s, hold up neither calls nor the end", async (_name, collector) => {
    traces = await openTraces(await collector(), { role: "all", version: "1.0.0", attributes: {} });
    const { key } = await service.createCaller();
    const answers = await Promise.all(Array.from({ length: 30 }, () => rest(service.url, "/usage", { key })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await traces.close();
  });
});
