import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { EventSource } from "eventsource";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../harness/free-port.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { lacking } from "../harness/install.ts";
import { rest, transcribeLater } from "../harness/rest.ts";
import { hasHaproxy, startHaproxy, unlessHaproxy } from "../harness/start-haproxy.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

// oxlint-disable-next-line node/no-process-env -- whether the network may be used is decided outside
const { TEST_NPM } = process.env;
const mostStreams = 10;
const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate, rateLimits: { default: 2_000, transcribe: 1_000 } });

beforeEach(() => {
  gate.open();
  gate.close();
});

const opened: AbortController[] = [];
afterEach(() => {
  for (const leaving of opened.splice(0)) leaving.abort();
});

async function follow(key: string, id: string, { at = service.url, headers = {} as Record<string, string> } = {}) {
  const leaving = new AbortController();
  opened.push(leaving);
  const response = await fetch(`${at}/api/v1/transcriptions/${id}`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  return { response, leave: () => leaving.abort() };
}

describe("after the last event", () => {
  /** An EventSource as programs use it: it is never closed. */
  function listen(key: string, id: string) {
    const statuses: number[] = [];
    const source = new EventSource(`${service.url}/api/v1/transcriptions/${id}`, {
      fetch: async (url, init) => {
        const answer = await fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
        statuses.push(answer.status);
        return answer;
      },
    });
    onTestFinished(() => source.close());
    const finished = new Promise<string>((resolve) =>
      source.addEventListener("finished", ({ data }) => resolve(data as string), { once: true }),
    );
    return { source, statuses, finished };
  }

  const remainingOf = async (key: string): Promise<number> =>
    Number((await rest(service.url, "/usage", { key })).headers.get("ratelimit-remaining"));

  test("a real EventSource stops, and its last request isn't counted", async () => {
    const { key } = await service.createCaller();
    const id = await transcribeLater(service.url, key, service.newReel());
    const { source, statuses, finished } = listen(key, id);
    gate.open();
    expect(JSON.parse(await finished)).toMatchObject({ id, status: "done" });
    const before = await remainingOf(key);
    await expect.poll(() => statuses.length).toBe(2);
    await expect.poll(() => source.readyState).toBe(EventSource.CLOSED);
    expect(statuses).toEqual([200, 204]);
    expect(await remainingOf(key), "only this look at what is left").toBe(before - 1);
  });

  test("a stream that broke before the end gets the end again", async () => {
    const { key } = await service.createCaller();
    const id = await transcribeLater(service.url, key, service.newReel());
    gate.open();
    await expect.poll(async () => (await rest(service.url, `/transcriptions/${id}`, { key })).body.status).toBe("done");
    for (const last of ["", "progress"]) {
      const { response } = await follow(key, id, { headers: { "last-event-id": last } });
      expect(await response.text(), last).toContain("event: finished\n");
    }
  });

  test("only a valid key gets 204, and only where there are events", async () => {
    const { key } = await service.createCaller();
    const resumeHeaders = { "last-event-id": "finished" };
    expect((await follow("svc_sk_nonsense", "trn_1", { headers: resumeHeaders })).response.status).toBe(401);
    expect((await rest(service.url, "/transcriptions/trn_1", { key, headers: resumeHeaders })).status).toBe(404);
    const usage = { key, headers: { ...resumeHeaders, accept: "text/event-stream" } };
    expect((await rest(service.url, "/usage", usage)).status).toBe(200);
  });
});

describe("the streams of an account", () => {
  test("are at most ten at once per account, with any key", async () => {
    const caller = await service.createCaller();
    const neighbor = await service.createCaller();
    const second = await caller.createKey();
    const id = await transcribeLater(service.url, caller.key, service.newReel());
    const theirs = await transcribeLater(service.url, neighbor.key, service.newReel());
    const streams = await Promise.all(
      Array.from({ length: mostStreams }, (_, index) => follow(index % 2 === 0 ? caller.key : second.key, id)),
    );
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));

    const { response: refused } = await follow(second.key, id);
    expect([refused.status, refused.headers.get("x-error-reason"), refused.headers.get("retry-after")]).toEqual([
      429,
      "tooManyStreams",
      "30",
    ]);
    expect(await refused.json()).toEqual({
      error: { code: "rateLimited", message: expect.stringContaining("10 event streams open") },
    });
    expect((await follow(neighbor.key, theirs)).response.status).toBe(200);
    expect((await rest(service.url, `/transcriptions/${id}`, { key: caller.key })).status, "as JSON").toBe(200);

    streams[0]!.leave();
    await expect.poll(async () => (await follow(caller.key, id)).response.status).toBe(200);
  });

  test("of one transcription share one reading when it is finished", async () => {
    const { key } = await service.createCaller();
    const id = await transcribeLater(service.url, key, service.newReel());
    const streams = await Promise.all(Array.from({ length: mostStreams }, () => follow(key, id)));
    const find = vi.spyOn(service.store.transcriptions, "findOwn");
    const read = vi.spyOn(service.store.allowances, "read");
    onTestFinished(() => [find, read].forEach((spy) => spy.mockRestore()));
    gate.open();
    const texts = await Promise.all(streams.map(({ response }) => response.text()));
    for (const text of texts) expect(text).toContain('event: finished\ndata: {"id":"trn_');
    expect([find.mock.calls.length, read.mock.calls.length]).toEqual([1, 1]);
  });
});

/** HAProxy passes events on even where it compresses them. */
const haproxyConfiguration = (port: number): string => `
global
  maxconn 100
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  compression algo gzip
frontend public
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one ${new URL(service.url).host}
`;

/** The middleware that most proxies on Node compress with gathers events until there is a block of them. */
const nodeProxy = `
const compress = require("compression")({ threshold: 0 });
const proxy = require("http-proxy").createProxyServer({ target: process.argv[2] });
const { createServer } = require("node:http");
createServer((request, response) => compress(request, response, () => proxy.web(request, response)))
  .listen(Number(process.argv[3]), "127.0.0.1", () => console.log("listening"));
`;
const pinnedProxy = ["compression@1.8.1", "http-proxy@1.18.1"];

describe("behind a proxy that compresses", () => {
  /** All of a stream, of which the first event came while the gate was closed. */
  async function streamThrough(at: string): Promise<string> {
    const { key } = await service.createCaller();
    const packed = await fetch(`${at}/healthz`, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding"), "the proxy does compress").toBe("gzip");
    await packed.text();

    const id = await transcribeLater(service.url, key, service.newReel());
    const { response } = await follow(key, id, { at, headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(response.headers.get("content-encoding")).toBeNull();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // The gate is closed: nothing ends the stream, so a proxy that waits for its end would give nothing.
    while (!text.includes("event: progress")) text += (await reader.read()).value ?? expect.fail(text);
    gate.open();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return text;
  }

  test.skipIf(!hasHaproxy)(`each event arrives when it is sent: HAProxy${unlessHaproxy}`, async () => {
    const port = await freePort();
    const proxy = await startHaproxy([haproxyConfiguration(port)], port);
    onTestFinished(() => proxy.end());
    expect(await streamThrough(`http://127.0.0.1:${port}`)).toContain("event: finished");
  });

  test("each event arrives when it is sent: compression on Node", async ({ skip }) => {
    if (TEST_NPM !== "1") skip("TEST_NPM=1 lets this test install a proxy from the npm registry");
    const directory = await mkdtemp(path.join(tmpdir(), "compressing-proxy-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...pinnedProxy] as const;
    const missing = await lacking(directory, [install]);
    if (missing !== undefined) skip(missing);
    await writeFile(path.join(directory, "proxy.cjs"), nodeProxy);
    const port = await freePort();
    const proxy = spawn(process.execPath, ["proxy.cjs", service.url, String(port)], { cwd: directory });
    onTestFinished(() => void proxy.kill("SIGKILL"));
    await once(proxy.stdout, "data");
    expect(await streamThrough(`http://127.0.0.1:${port}`)).toContain("event: finished");
  });
});

test("of a thousand streams that an account opens at once ten are open, the others are refused, and nobody else notices", async () => {
  const opening = 1_000;
  const greedy = await service.createCaller();
  const neighbor = await service.createCaller();
  const id = await transcribeLater(service.url, greedy.key, service.newReel());
  const theirs = await transcribeLater(service.url, neighbor.key, service.newReel());
  const answers = { open: 0, refused: 0, others: 0 };
  // The client closes a stream that nobody holds any more.
  const held: Response[] = [];
  const follows = Array.from({ length: opening }, async () => {
    const { response } = await follow(greedy.key, id);
    held.push(response);
    if (response.status === 200) answers.open += 1;
    else if (response.status === 429) answers.refused += 1;
    else answers.others += 1;
    if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
  const { response } = await follow(neighbor.key, theirs);
  expect(response.status).toBe(200);
  expect((await rest(service.url, "/usage", { key: neighbor.key })).status).toBe(200);
  await Promise.all(follows);
  expect(held).toHaveLength(opening);
  expect(answers).toEqual({ open: mostStreams, refused: opening - mostStreams, others: 0 });
  expect((await rest(service.url, "/usage", { key: greedy.key })).status, "its places are free again").toBe(200);
  gate.open();
  expect(await response.text()).toContain("event: finished");
}, 60_000);
