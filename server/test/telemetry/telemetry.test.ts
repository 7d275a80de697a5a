import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/telemetry/create-log.ts";
import { metricSources } from "../../src/telemetry/metric-sources.ts";
import { createMetrics, type MetricSources } from "../../src/telemetry/metrics.ts";
import { startMetricsServer, type MetricsServer } from "../../src/telemetry/start-metrics-server.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
/** The transcriber throws this next, if it is set. */
let failure: Error | undefined;
let written = "";
let service: TestService;
let server: MetricsServer;
let sources: MetricSources = {};

beforeAll(async () => {
  const late: MetricSources = {
    work: async () => sources.work?.(),
    connections: () => sources.connections?.() ?? {},
    recognizer: async () => ({ processes: 2, memoryBytes: 500, restarts: 1 }),
    clockDifference: () => -1.5,
  };
  const metrics = createMetrics(late, { version: "1.0.0", role: "all" });
  const log = createLog("trace", { write: (line) => void (written += line) });
  service = await startTestService({
    telemetry: { log, metrics, traces: undefined, decodings: new Map() },
    transcriber: {
      ...gate,
      transcribe(...parameters) {
        const error = failure;
        failure = undefined;
        return error ? Promise.reject(error) : gate.transcribe(...parameters);
      },
    },
  });
  const { store, clock } = service;
  sources = metricSources({ store, recognizer: undefined, clock });
  server = await startMetricsServer({
    host: "127.0.0.1",
    port: 0,
    metrics,
    ready: async () => {
      const answer = await fetch(`${service.url}/readyz`);
      if (answer.status !== 200) throw new Error("not ready");
    },
  });
});
afterAll(async () => {
  await server.close();
  await service.close();
});

type Line = Record<string, unknown> & { readonly msg: string };
const lines = (): Line[] =>
  written
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
/** The line of a request, which is written when its answer has been sent. */
async function lineOf(id: string | null): Promise<Line | undefined> {
  const find = () => lines().find((line) => line.msg === "request" && line.requestId === id);
  await expect.poll(find).toBeDefined();
  return find();
}
const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
const reelOf = (index: number): string =>
  service.standin.urlOf(service.standin.reels.filter(({ kind }) => kind === "speech")[index]!.code);

describe("one line for each request", () => {
  test("names the request, the account, the key and how it went", async () => {
    const { key, accountId, keyId } = await service.createCaller();
    const url = reelOf(0);
    const fresh = await transcribe(service.url, key, url);
    const cached = await transcribe(service.url, key, url);
    const common = {
      method: "POST",
      route: "/api/v1/transcribe",
      status: 200,
      door: "rest",
      operation: "transcribeReel",
      accountId,
      keyId,
      seconds: expect.any(Number),
    };
    const requestId = fresh.headers.get("x-request-id");
    const started = await lineOf(requestId);
    expect(started).toMatchObject({ ...common, cached: false, transcriptionId: expect.stringMatching(/^trn_/) });
    const work = () => lines().find(({ msg, outcome }) => msg === "transcription" && outcome === "done");
    await expect.poll(work).toMatchObject({ transcriptionId: started?.transcriptionId, requestId, accountId });
    expect(await lineOf(cached.headers.get("x-request-id"))).toMatchObject({ ...common, cached: true });
    const refused = await rest(service.url, "/usage", { key: "svc_sk_nothing" });
    const line = await lineOf(refused.headers.get("x-request-id"));
    expect(line).toMatchObject({ status: 401, error: "unauthorized", route: "/api/v1/usage" });
    expect(line).not.toHaveProperty("accountId");
    const lost = await rest(service.url, "/no/such/path?secret=1", { key });
    expect(await lineOf(lost.headers.get("x-request-id"))).toMatchObject({ status: 404, route: "none" });
  });

  test("exists for MCP and for people, too", async () => {
    const { key, accountId, keyId } = await service.createCaller();
    const client = await connectMcp(service.url, "modern", key);
    await client.callTool({ name: "get_my_usage", arguments: {} });
    await client.close();
    const person = await signIn(service, { email: "lines@example.com" });
    const session = await person.api("listKeys");
    await expect
      .poll(() => lines().find(({ operation, door }) => operation === "getUsage" && door === "mcp"))
      .toMatchObject({ route: "/mcp", accountId, keyId });
    expect(await lineOf(session.headers.get("x-request-id"))).toMatchObject({
      operation: "listKeys",
      door: "people",
      accountId: person.accountId,
    });
  });

  test("is written once when the caller goes away before the answer", async () => {
    const { key, accountId } = await service.createCaller();
    gate.close();
    const leaving = new AbortController();
    const call = rest(service.url, "/transcribe", { key, body: { url: reelOf(1) }, signal: leaving.signal });
    await expect.poll(() => service.store.transcriptions.queueLength()).toBe(1);
    leaving.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect
      .poll(() => lines().filter((line) => line.accountId === accountId))
      .toMatchObject([{ status: "aborted" }]);
    gate.open();
    await expect.poll(() => service.store.transcriptions.queueLength()).toBe(0);
  });
});

describe("one line for each transcription", () => {
  test("says how long each stage took, and why it failed", async () => {
    const { key } = await service.createCaller();
    await transcribe(service.url, key, reelOf(2));
    const done = () => lines().find(({ msg, outcome }) => msg === "transcription" && outcome === "done");
    await expect.poll(done).toMatchObject({ transcriptionId: expect.stringMatching(/^trn_/), attempt: 1 });
    expect(Object.keys(done()!.stages as object).toSorted()).toEqual(["decode", "fetch", "recognize", "store", "wait"]);

    failure = new Error("Bearer abc.def broke at https://x.example/a?token=hidden");
    await transcribe(service.url, key, reelOf(3));
    await expect
      .poll(() => lines().find(({ outcome }) => outcome === "repeated"))
      .toMatchObject({
        cause: {
          type: "Error",
          message: "Bearer … broke at https://x.example/a?…",
          stack: expect.stringMatching(/^\s+at /),
        },
      });
    service.faults.splice(0);
  });
});

test("no line contains content, secrets or an address's query", async () => {
  const { key } = await service.createCaller();
  const person = await signIn(service, { email: "private-address@example.com" });
  await rest(service.url, "/scripts?query=zebra-query", { key });
  await rest(service.url, "/transcribe", { key, body: '{"url": "giraffe-body' });
  await rest(service.url, "/transcribe", {
    key,
    body: { url: "https://www.instagram.com/p/nothing/?igsh=ostrich-query" },
  });
  await rest(service.url, "/transcribe?x=walrus-query", { key, body: { url: reelOf(0), "badger-field": 1 } });
  await fetch(`${service.url}/auth/callback?code=otter-code&state=otter-state`, { redirect: "manual" });
  await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: "lemur-body{",
  });
  await rest(service.url, "/usage", { headers: { authorization: "Bearer beaver-key", cookie: "a=beaver-cookie" } });
  await person.api("updateBioPage", { displayName: "heron-name", bio: "heron-bio" });
  await fetch(`${service.url}/%E0%A4%A`);
  const last = await rest(service.url, "/usage?last=raven-query", { key });
  await lineOf(last.headers.get("x-request-id"));

  const session = person.jar.header("/").split("=").slice(1).join("=");
  const captions = service.standin.reels.flatMap((reel) => ("caption" in reel ? [String(reel.caption)] : []));
  const animals = ["zebra", "giraffe", "ostrich", "walrus", "badger", "otter", "lemur", "beaver", "heron", "raven"];
  const hidden = [
    key,
    key.slice(7, 30),
    session.slice(0, 20),
    "same sentence",
    "private-address",
    ...animals,
    ...captions.map((caption) => caption.slice(0, 20)).filter((caption) => caption.length > 5),
  ];
  expect(lines().length).toBeGreaterThan(15);
  for (const secret of hidden) expect(written, secret).not.toContain(secret);
  expect(written).not.toMatch(/\?[^…]/);
});

describe("figures", () => {
  test("count requests, operations, cache hits, transcriptions and stages", async () => {
    const { key } = await service.createCaller();
    await transcribe(service.url, key, reelOf(0));
    await expect
      .poll(scrape)
      .toMatch(
        /^reelscript_request_duration_seconds_count\{method="POST",route="\/api\/v1\/transcribe",status="200"\} \d+$/m,
      );
    const text = await scrape();
    for (const pattern of [
      /^reelscript_operations_total\{operation="transcribeReel",door="rest",status="200"\} [1-9]/m,
      /^reelscript_operations_total\{operation="getUsage",door="mcp",status="200"\} 1$/m,
      /^reelscript_transcribe_answers_total\{cached="true"\} [1-9]/m,
      /^reelscript_transcriptions_total\{outcome="done"\} [1-9]/m,
      /^reelscript_transcriptions_total\{outcome="repeated"\} 1$/m,
      /^reelscript_transcription_stage_duration_seconds_count\{stage="recognize"\} [1-9]/m,
      /^reelscript_database_connections\{pool="main",state="waiting"\} \d/m,
      /^reelscript_recognizer_memory_bytes 500$/m,
      /^reelscript_database_reachable 1$/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
      /^reelscript_build_info\{version="1.0.0",node="[\d.]+",role="all"\} 1$/m,
      /^reelscript_clock_difference_seconds -1.5$/m,
    ])
      expect(text).toMatch(pattern);
  });

  test("show the queue and what is held", async () => {
    const { key } = await service.createCaller();
    gate.close();
    const waiting = [4, 5, 6].map((index) => transcribe(service.url, key, reelOf(index)));
    // One is recognized, and one is fetched meanwhile.
    await expect.poll(scrape).toMatch(/^reelscript_queue_length\{state="running"\} 2$/m);
    await expect.poll(scrape).toMatch(/^reelscript_queue_length\{state="queued"\} 1$/m);
    service.clock.advance(90_000);
    await expect.poll(scrape).toMatch(/^reelscript_hold_oldest_seconds (9\d|1\d\d)/m);
    await expect.poll(scrape).toMatch(/^reelscript_queue_oldest_seconds (9\d|1\d\d)/m);
    expect(await scrape()).toMatch(/^reelscript_holds 3$/m);
    gate.open();
    await Promise.all(waiting);
    await expect.poll(scrape).toMatch(/^reelscript_holds 0$/m);
  });

  test("show that a lease ran out, and why the worker claims nothing", async () => {
    const { key } = await service.createCaller();
    const of = async (name: string): Promise<string[]> =>
      (await scrape()).split("\n").filter((line) => line.startsWith(name));
    const expired = async () => Number((await of("reelscript_leases_expired_total"))[0]?.split(" ").at(-1));
    const before = await expired();
    gate.close();
    const calls = [1, 2, 3].map(() => transcribe(service.url, key, service.newReel()));
    await expect.poll(() => of("reelscript_queue_length")).toContain('reelscript_queue_length{state="queued"} 1');
    await expect.poll(() => of("reelscript_queue_length")).toContain('reelscript_queue_length{state="running"} 2');
    // Another worker dies with the third; whoever takes it over has nothing else in hand.
    expect(await service.store.transcriptions.claim("dead", 0, service.clock.now())).toBeDefined();
    gate.open();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(expired).toBe(before + 1);
    const obstacles = () => lines().filter(({ msg, obstacle }) => msg.startsWith("The worker claims") && obstacle);
    // On a busy machine the gate also looks like a recognizer that stands still.
    await expect.poll(obstacles).toContainEqual(expect.objectContaining({ obstacle: "crashedReel" }));
    await expect
      .poll(() => of("reelscript_worker_held_up"))
      .toContain('reelscript_worker_held_up{reason="crashedReel"} 0');
    expect(lines()).toContainEqual(expect.objectContaining({ msg: "The worker claims again", before: "crashedReel" }));
    await expect.poll(() => service.store.transcriptions.queueLength()).toBe(0);
  });

  test("omit what the database doesn't report, and never wait long for it", async () => {
    const before = sources;
    sources = metricSources({
      store: { operatorFigures: { work: () => new Promise(() => undefined) }, connections: () => ({}) },
      recognizer: undefined,
      clock: service.clock,
    });
    const text = await scrape();
    sources = before;
    expect(text).toMatch(/^reelscript_database_reachable 0$/m);
    expect(text).not.toMatch(/^reelscript_(queue|hold)/m);
    expect(text).toMatch(/^reelscript_request_duration_seconds_count/m);
  });

  test("have a bounded number of series, whatever paths callers invent", async () => {
    const methods = ["GET", "PROPFIND", "REPORT", "PURGE"];
    const knock = (index: number) =>
      new Promise<void>((resolve) => {
        const clientRequest = request(`${service.url}/p${index}/${"x".repeat(index)}?q=${index}`, {
          method: methods[index % 4],
        });
        clientRequest
          .once("response", (response) => response.resume().once("end", resolve))
          .once("error", () => resolve());
        clientRequest.end();
      });
    const series = async () => (await scrape()).split("\n").filter((line) => line.startsWith("reelscript_"));
    /** A request is counted when its answer has been sent. */
    const counted = async () =>
      (await series())
        .filter((line) => /^reelscript_request_duration_seconds_count\{.*route="none"/.test(line))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    const atFirst = await counted();
    await Promise.all(Array.from({ length: 8 }, (_, index) => knock(index)));
    await expect.poll(counted).toBe(atFirst + 8);
    const before = (await series()).length;
    await Promise.all(Array.from({ length: 100 }, (_, index) => knock(100 + index)));
    await expect.poll(counted).toBe(atFirst + 108);
    expect(await series()).toHaveLength(before);
    expect(await scrape()).not.toMatch(/route="\/p\d/);
  });

  test("are only on their own port, for GET, under our names", async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    const ownUrl = `http://127.0.0.1:${server.port}`;
    expect((await fetch(`${ownUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${ownUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${ownUrl}/api/v1/usage`)).status).toBe(404);
    expect((await fetch(`${ownUrl}/metrics`, { method: "POST" })).status).toBe(405);
    const foreign = request(`${ownUrl}/metrics`, { headers: { host: "evil.example" } }).end();
    const [response] = (await once(foreign, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(421);
  });
});
