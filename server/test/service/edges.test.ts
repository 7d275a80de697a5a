import { randomUUID } from "node:crypto";
import net from "node:net";
import { ErrorEnvelope } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

/** What a server says to bytes that no HTTP client would send. */
function say(lines: readonly string[], body = ""): Promise<{ status: number; headers: string; body: string }> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    let heard = "";
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => {
      const [headers = "", ...rest] = heard.split("\r\n\r\n");
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

test("a new key in the slot of a revoked one has made its calls", async () => {
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
