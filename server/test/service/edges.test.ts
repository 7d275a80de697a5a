import { randomUUID } from "node:crypto";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { ErrorEnvelope } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

/** Sends bytes that no HTTP client would send, and returns the server's answer. */
function say(lines: readonly string[], body = ""): Promise<{ status: number; headers: string; body: string }> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    let response = "";
    socket.on("data", (chunk: Buffer) => (response += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => {
      const [headers = "", ...rest] = response.split("\r\n\r\n");
      resolve({ status: Number(headers.split(" ")[1]), headers: headers.toLowerCase(), body: rest.join("\r\n\r\n") });
    });
  });
}

describe("a content type that is none", () => {
  test.each([";;;", "a/b/c", "application/json, text/plain"])(
    "%s is 415, after the key was looked at",
    async (type) => {
      const { key } = await service.createCaller();
      const send = (headers: Record<string, string>) =>
        rest(service.url, "/transcribe", { body: "{}", headers: { "content-type": type, ...headers } });
      expect((await send({})).status).toBe(401);
      expect(await send({ authorization: `Bearer ${key}` })).toMatchObject({
        status: 415,
        body: { error: { code: "invalidRequest" } },
      });
      const elsewhere = await fetch(`${service.url}/nowhere`, {
        method: "POST",
        headers: { "content-type": type },
        body: "{}",
      });
      expect(elsewhere.status).toBe(404);
      const mcp = await fetch(`${service.url}/mcp`, { method: "POST", headers: { "content-type": type }, body: "{}" });
      expect(mcp.status).toBeLessThan(500);
    },
  );
});

describe("a body of JSON", () => {
  test.each([
    "application/merge-patch+json",
    "Application/Vnd.Acme.v2+JSON; charset=utf-8",
    "application/ld+json;profile=x",
    "application/json",
  ])("is taken as %s", async (type) => {
    const { key } = await service.createCaller();
    const patch = { key, method: "PATCH", headers: { "content-type": type }, body: { displayName: "Ana" } };
    expect(await rest(service.url, "/bio", patch)).toMatchObject({ status: 200, body: { displayName: "Ana" } });
  });

  test.each([
    "application/jsonp",
    "application/x-json",
    "application/+json",
    "text/x+json",
    "application/merge+json+xml",
  ])("is refused as %s", async (type) => {
    const { key } = await service.createCaller();
    const patch = { key, method: "PATCH", headers: { "content-type": type }, body: { displayName: "Ana" } };
    expect((await rest(service.url, "/bio", patch)).status).toBe(415);
  });
});

describe("a compressed body", () => {
  test.each([
    ["gzip", "/api/v1/transcribe"],
    ["br", "/mcp"],
    ["Deflate", "/webhooks/stripe"],
    ["identity, zstd", "/oauth/token"],
    ["x-made-up", "/app/api/sent-media"],
  ])("in %s at %s is 415, with the encoding by name", async (encoding, path) => {
    const { key } = await service.createCaller();
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "content-encoding": encoding },
      body: gzipSync('{"url":"https://example.com/"}'),
    });
    const { error } = (await answer.json()) as ErrorEnvelope;
    const name = encoding.toLowerCase().replace("identity, ", "");
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"]);
    expect(error.message).toBe(`The body is encoded as ${name}, which isn't supported. Send it as it is.`);
  });

  test("is one by Transfer-Encoding, too", async () => {
    const zipped = gzipSync("{}");
    const head = [
      "POST /api/v1/transcribe HTTP/1.1",
      "host: x",
      "transfer-encoding: gzip, chunked",
      "connection: close",
    ];
    const answer = await say(head, `${zipped.length.toString(16)}\r\n${zipped.toString("latin1")}\r\n0\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([
      415,
      expect.stringContaining("encoded as gzip"),
    ]);
  });

  test("is none when it is said to be as it is", async () => {
    const { key } = await service.createCaller();
    const headers = { "content-encoding": "identity" };
    const patch = { key, method: "PATCH", headers, body: { displayName: "Ana" } };
    expect((await rest(service.url, "/bio", patch)).status).toBe(200);
  });
});

describe("a target in absolute form", () => {
  const tools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const toMcp = (target: string, host: string) =>
    say(
      [
        `POST ${target} HTTP/1.1`,
        `host: ${host}`,
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        `content-length: ${tools.length}`,
        "connection: close",
      ],
      tools,
    );
  const get = (target: string, ...headers: string[]) =>
    say([`GET ${target} HTTP/1.1`, "host: x", ...headers, "connection: close"]);

  test("shows the page of a handle, and redirects only to another address", async () => {
    const { accountId, key } = await service.createCaller();
    await rest(service.url, "/bio", { key, method: "PATCH", body: { displayName: "Quiet" } });
    await service.store.bioPages.claimHandle(accountId, "quiet.chapters", service.clock.now());
    const { host } = new URL(service.url);
    expect((await get(`${service.url}/@quiet.chapters`)).status).toBe(200);
    expect((await get(`http://${host}/@quiet.chapters?utm_source=x`)).status).toBe(200);
    const written = await get(`HTTP://${host}/%40quiet.chapters`);
    expect([written.status, written.headers]).toEqual([301, expect.stringContaining("location: /@quiet.chapters\r\n")]);
  });

  test("reaches every door as its path would", async () => {
    expect(await toMcp(`${service.url}/mcp`, "x")).toMatchObject({
      status: 200,
      headers: expect.stringMatching(/^connection: close\r?$/m),
    });
    const rest = await get(`${service.url}/api/v1/plans`, "origin: https://elsewhere.example");
    expect([rest.status, rest.headers]).toEqual([200, expect.stringContaining("access-control-allow-origin: *\r\n")]);
    expect((await get(`${service.url}/api/v1/guides?limit=x`)).status).toBe(400);
    for (const target of [service.url, `${service.url}?x=1`, `${service.url}/`])
      expect(JSON.parse((await get(target)).body).name).toBe("Reelscript");
    expect((await get(`${service.url}/app/api/session`)).status).toBe(401);
  });

  test("names the host that is judged, whatever Host says", async () => {
    const { host } = new URL(service.url);
    expect((await toMcp("http://evil.example/mcp", host)).status).toBe(403);
    expect((await toMcp(`${service.url}/mcp`, "evil.example")).status).toBe(200);
    expect((await toMcp(`http://${host}@evil.example/mcp`, host)).status).toBe(400);
    expect((await toMcp(`http://evil.example#@${host}/mcp`, host)).status).not.toBe(200);
  });

  test.each(["ftp://x/healthz", "localhost:80/healthz", "http:///healthz", "*", "https:healthz"])(
    "%s is no path of ours",
    async (target) => expect((await get(target)).status).toBe(400),
  );

  test("needs a Host header like every request of HTTP/1.1", async () => {
    expect((await say([`GET ${service.url}/healthz HTTP/1.1`, "connection: close"])).status).toBe(400);
    expect((await say([`GET ${service.url}/healthz HTTP/1.0`])).status).toBe(200);
  });
});

describe("a method that a path does not take", () => {
  test.each(["PROPFIND", "QUERY", "PUT"])("%s is 405", async (method) => {
    const { key } = await service.createCaller();
    const answer = await say([
      `${method} /api/v1/transcribe HTTP/1.1`,
      "host: localhost",
      `authorization: Bearer ${key}`,
      "connection: close",
    ]);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([405, { error: { code: "invalidRequest" } }]);
    expect(answer.headers).toContain("allow: post");
  });
});

describe("what is hardly HTTP", () => {
  test.each([
    ["garbage", ["hello there"], 400],
    ["no Host", ["GET /healthz HTTP/1.1", "connection: close"], 400],
    [
      "an unknown expectation",
      ["POST /api/v1/transcribe HTTP/1.1", "host: x", "expect: foo", "content-length: 0"],
      417,
    ],
    ["a proxy's request", ["CONNECT example.com:443 HTTP/1.1", "host: example.com"], 405],
    ["headers without end", ["GET / HTTP/1.1", "host: x", `x-long: ${"y".repeat(40_000)}`], 431],
    ["a control character in the path", ["GET /a\u0001b HTTP/1.1", "host: x"], 400],
  ])("%s gets an envelope and a request id", async (_name, lines, status) => {
    const answer = await say(lines);
    expect(answer.status).toBe(status);
    expect(ErrorEnvelope.strict().safeParse(JSON.parse(answer.body)).success, answer.body).toBe(true);
    expect(answer.headers).toMatch(/x-request-id: req_[0-9a-f]{24}/);
  });

  test("a body that breaks off is nobody's fault", async () => {
    const { key } = await service.createCaller();
    const { hostname, port } = new URL(service.url);
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/transcribe HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"url":`,
    );
    await expect
      .poll(async () => (await rest(service.url, "/me", { key })).body.rateLimits.transcribe.remaining)
      .toBe(9);
    socket.destroy();
  });
});

test("a new key in a revoked one's slot inherits its calls", async () => {
  const caller = await service.createCaller();
  for (let count = 0; count < 10; count += 1) await rest(service.url, "/transcribe", { key: caller.key, body: {} });
  await service.store.keys.revoke(caller.keyId, service.clock.now());
  const { key } = await caller.createKey();
  expect((await rest(service.url, "/transcribe", { key, body: {} })).status).toBe(429);
  const other = await caller.createKey();
  expect(
    (await rest(service.url, "/transcribe", { key: other.key, body: {} })).status,
    "another slot is not touched",
  ).toBe(400);
});

test("no two answers share a request id", async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await rest(service.url, `/${randomUUID()}`)).headers.get("x-request-id")),
  );
  expect(new Set(ids).size).toBe(20);
});
