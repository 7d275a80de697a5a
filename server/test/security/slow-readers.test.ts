import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { cutSlowReaders } from "../../src/http/send-answer.ts";
import { sendStreamed } from "../../src/http/send-streamed.ts";
import { Streamed } from "../../src/run/handler.ts";

/** A door that sends megabytes without an end, and how it came to one. */
async function anEndlessAnswer() {
  const app = Fastify();
  onTestFinished(() => app.close());
  const ends: string[] = [];
  const faults: unknown[] = [];
  const gone = new AbortController();
  let parts = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (; ; parts += 1) yield new Uint8Array(1_000_000).fill(0x20);
    } finally {
      ends.push("parts");
    }
  }
  app.get("/", (request, reply) =>
    sendStreamed(request, reply, undefined, {
      result: new Streamed(endless(), "all", () => ends.push("whole")),
      signal: gone.signal,
      onFault: (error) => faults.push(error),
      windowMilliseconds: 300,
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const reader = net.connect(port, "127.0.0.1");
  onTestFinished(() => void reader.destroy());
  reader.on("error", () => undefined);
  reader.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  return { reader, ends, faults, gone, parts: () => parts };
}

test("a reader that takes nothing is disconnected, and nothing more is produced", async () => {
  const { reader, ends, faults, parts } = await anEndlessAnswer();
  reader.pause();
  await expect.poll(() => ends).toEqual(["parts", "whole"]);
  const partCount = parts();
  // Each part has 1 MB, and a connection itself holds a few megabytes on their way.
  expect(partCount).toBeLessThan(20);
  reader.resume();
  await once(reader, "close");
  expect(parts()).toBe(partCount);
  expect(faults).toEqual([]);
});

test("a reader that keeps reading is not cut off", async () => {
  const { reader, ends, gone, parts } = await anEndlessAnswer();
  reader.resume();
  await expect.poll(parts).toBeGreaterThan(100);
  expect(ends).toEqual([]);
  gone.abort();
  await expect.poll(() => ends).toEqual(["parts", "whole"]);
});

/** A door with an answer of 32 MB, as bytes or as text. */
async function aLongAnswer(answer: Buffer | string, windowMilliseconds: number) {
  const app = Fastify();
  onTestFinished(() => app.close());
  cutSlowReaders(app, windowMilliseconds);
  const ends: boolean[] = [];
  app.get("/", (_request, reply) => {
    reply.raw.once("close", () => ends.push(reply.raw.writableFinished));
    return reply.send(answer);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return { port, ends };
}

const length = 32_000_000;

test.each([
  ["bytes", Buffer.alloc(length, "a")],
  ["text", "a".repeat(length)],
])("a reader that takes nothing of long %s is disconnected", async (_, answer) => {
  const { port, ends } = await aLongAnswer(answer, 300);
  const reader = net.connect(port, "127.0.0.1");
  onTestFinished(() => void reader.destroy());
  reader.on("error", () => undefined);
  reader.pause();
  reader.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await expect.poll(() => ends).toEqual([false]);
});

test("a long answer arrives whole, with its length, and HEAD has only that", async () => {
  const { port, ends } = await aLongAnswer("ä".repeat(length / 2), 60_000);
  const whole = await fetch(`http://127.0.0.1:${port}/`);
  expect(whole.headers.get("content-length")).toBe(String(length));
  expect((await whole.text()).length).toBe(length / 2);
  const head = await fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(length));
  expect(await head.text()).toBe("");
  await expect.poll(() => ends).toEqual([true, true]);
});
