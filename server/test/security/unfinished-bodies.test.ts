import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectExtension } from "../harness/connect-extension.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTest, startTestService, type TestService } from "../harness/start-test-service.ts";

/** One network may have no more unfinished bodies than this; the flood has some more. */
const mostOfNetwork = 64;
const flood = mostOfNetwork + 30;
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const tool = "transcribe_reel";

let service: TestService;
const sockets: Socket[] = [];
beforeAll(async () => {
  // Long enough that nothing ends by it.
  service = await startTestService({ transcriber: null, trustProxy: true, bodySeconds: 3_600, stallSeconds: 3_600 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

interface Begun {
  readonly socket: Socket;
  /** The list of tools, or all that was answered when the connection ends. */
  readonly answered: Promise<string>;
}

/** A request of which the last byte is missing, or more when it has `length` bytes. */
async function begin(address: string, path: string, length = body.length, of = service, token = ""): Promise<Begun> {
  const { hostname, port } = new URL(of.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  const answered = new Promise<string>((resolve) => {
    socket
      .on("data", (chunk) => {
        text += String(chunk);
        if (text.includes(tool)) resolve(text);
      })
      .once("close", () => resolve(text));
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\n${token && `authorization: Bearer ${token}\r\n`}connection: close\r\ncontent-length: ${length}\r\n\r\n${body.slice(0, -1)}`,
  );
  return { socket, answered };
}

test.each(["/mcp", "/api/v1/transcribe"])(
  "unfinished bodies at %s make room only for their own network",
  async (path) => {
    const neighbor = await begin("198.51.100.7", "/mcp");
    const begun: Begun[] = [];
    for (let count = 0; count < flood; count += 1) begun.push(await begin("203.0.113.9", path));
    const refused = await Promise.all(begun.slice(0, flood - mostOfNetwork).map(({ answered }) => answered));
    for (const text of refused) expect(text).toMatch(/^HTTP\/1\.1 (503|401) /);
    if (path === "/mcp") {
      for (const text of refused) expect(text).toContain('"code":"unavailable"');
      begun.at(-1)!.socket.write(body.slice(-1));
      expect(await begun.at(-1)!.answered, "the newest is answered").toContain(tool);
    }
    neighbor.socket.write(body.slice(-1));
    expect(await neighbor.answered).toContain(tool);
    for (const { socket } of begun) socket.destroy();
  },
);

test("unfinished bodies of all networks have 64 MB", async () => {
  const length = 262_144;
  const places = 256;
  const begun: Begun[] = [];
  for (let count = 0; count < places + 20; count += 1)
    begun.push(await begin(`198.18.${count >> 8}.${count & 255}`, "/mcp", length));
  for (const { answered } of begun.slice(0, 20)) expect(await answered).toMatch(/^HTTP\/1\.1 503 /);
  const small = await begin("198.51.100.8", "/mcp");
  expect(await begun[20]!.answered, "the oldest gives its place").toMatch(/^HTTP\/1\.1 503 /);
  small.socket.write(body.slice(-1));
  expect(await small.answered).toContain(tool);
  for (const { socket } of begun) socket.destroy();
});

test("the network with most bodies loses its oldest body first", async () => {
  const length = 262_144;
  const others: Begun[] = [];
  for (let count = 0; count < 192; count += 1) others.push(await begin(`198.19.${count}.1`, "/mcp", length));
  const greedy: Begun[] = [];
  for (let count = 0; count < mostOfNetwork; count += 1) greedy.push(await begin("203.0.113.12", "/mcp", length));
  const small = await begin("198.51.100.9", "/mcp");
  expect(await greedy[0]!.answered).toMatch(/^HTTP\/1\.1 503 /);
  small.socket.write(body.slice(-1));
  expect(await small.answered).toContain(tool);
  const left = [...others, ...greedy.slice(1)].filter(({ socket }) => socket.closed);
  expect(left).toEqual([]);
  for (const { socket } of [...others, ...greedy]) socket.destroy();
});

test("a collection of reels takes as much room as it announces", async () => {
  const { token } = await connectExtension(service, await signInNew(service));
  const length = 8 * 1_024 * 1_024;
  const begun: Begun[] = [];
  for (let count = 0; count < 9; count += 1)
    begun.push(await begin(`198.51.100.${20 + count}`, "/app/api/competitor-reports", length, service, token));
  expect(await begun[0]!.answered, "eight have 64 MB").toMatch(/^HTTP\/1\.1 503 /);
  expect(begun.slice(1).filter(({ socket }) => socket.closed)).toEqual([]);
  for (const { socket } of begun) socket.destroy();
});

test("a body that stalls loses its place, one that continues doesn't", async () => {
  const pressing = await serviceOfTest({ transcriber: null, trustProxy: true, bodySeconds: 3_600 });
  const steady = await begin("203.0.113.11", "/mcp", 200_000, pressing);
  const stalled = await begin("203.0.113.10", "/mcp", body.length, pressing);
  const beat = setInterval(() => steady.socket.write(" ".repeat(4_000)), 500);
  expect(await stalled.answered).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(beat);
  expect(steady.socket.closed).toBe(false);
  steady.socket.destroy();
});
