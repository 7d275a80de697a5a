import net from "node:net";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

test("HEAD creates no address of an export", async () => {
  const { key } = await service.createCaller();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${service.url}/api/v1/script-export`, { method: "HEAD", headers });
  expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({ status: 405, allow: "GET" });
});

/** At most four are on their way to one network at a time. */
const atATime = 4;

/** Holds the streams that begin from now on, and counts them. */
function holdStreams() {
  const begin = Readable.from.bind(Readable);
  let begun = 0;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const spy = vi.spyOn(Readable, "from").mockImplementation((parts, options) => {
    begun += 1;
    async function* later() {
      await held;
      yield* parts;
    }
    return begin(later(), options);
  });
  onTestFinished(() => spy.mockRestore());
  return { begun: () => begun, release: () => release() };
}

test.each(["/openapi.json", "/docs"])("%s is sent to a few connections of a network at a time", async (path) => {
  const { hostname, port } = new URL(service.url);
  const whole = (await (await fetch(`${service.url}${path}`)).text()).length;
  const streams = holdStreams();
  const sockets = Array.from({ length: 40 }, () => net.connect(Number(port), hostname));
  const received = sockets.map(() => 0);
  for (const [index, socket] of sockets.entries()) {
    socket.on("error", () => undefined);
    socket.on("data", (data) => (received[index]! += data.length));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: identity\r\n\r\n`);
  }
  const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve))));
  await expect.poll(streams.begun).toBe(atATime);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(streams.begun()).toBe(atATime);
  streams.release();
  await closed;
  expect(received.every((bytes) => bytes > whole)).toBe(true);
  expect(streams.begun()).toBe(sockets.length);
});

test("readers who take nothing keep nobody waiting for long, also while they stay", async () => {
  const { hostname, port } = new URL(service.url);
  const sockets = Array.from({ length: 3 * atATime }, () => net.connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.pause();
    socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n");
  }
  await pause(200);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
