import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
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
