import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import { rest, transcribeLater } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const get = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(`${service.url}${path}`, { headers });
  const { "content-encoding": encoding, "content-length": length, etag, vary } = Object.fromEntries(response.headers);
  return { status: response.status, encoding, bytes: Number(length), etag, vary, text: await response.text() };
};

const packedWell = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;

test.each(["/openapi.json", "/llms.txt", "/privacy", "/docs", "/api/v1/overview", "/api/v1/guides/write-a-hook"])(
  "%s comes as requested, smaller and with the same content",
  async (path) => {
    const plain = await get(path, { "accept-encoding": "identity" });
    expect([plain.encoding, plain.bytes, plain.vary]).toEqual([
      undefined,
      Buffer.byteLength(plain.text),
      expect.stringContaining("accept-encoding"),
    ]);
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["br;q=0.5, gzip;q=1", "br"],
      ["br;q=0, gzip", "gzip"],
      ["deflate, *;q=0", undefined],
    ] as const) {
      const packed = await get(path, { "accept-encoding": accepted });
      expect([packed.encoding, packed.text === plain.text, packed.etag], accepted).toEqual([
        encoding,
        true,
        plain.etag,
      ]);
      if (encoding !== undefined) expect(packed.bytes).toBeLessThan(plain.bytes * 0.7);
      // An answer that is compressed once may take longer, and gets smaller than one compressed for each caller.
      if (encoding === "br") expect(packed.bytes).toBe(packedWell(plain.text));
      expect(packed.etag).toMatch(/^W\/"/);
      const headers = { "accept-encoding": accepted, "if-none-match": packed.etag ?? "" };
      expect(await get(path, headers)).toMatchObject({ status: 304, text: "", etag: plain.etag, vary: plain.vary });
    }
    const head = await fetch(`${service.url}${path}`, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect([head.status, head.headers.get("content-encoding")]).toEqual([200, "gzip"]);
  },
);

test("a bio page keeps the strong tag that changes must name", async () => {
  const { key } = await service.createCaller();
  const authorization = `Bearer ${key}`;
  const links = Array.from({ length: 20 }, (_, index) => ({ title: `Link ${index}`, url: "https://example.com/" }));
  const written = await rest(service.url, "/bio", { key, method: "PATCH", body: { links } });
  const read = await get("/api/v1/bio", { authorization, "accept-encoding": "br" });
  expect([read.encoding, read.etag]).toEqual(["br", written.headers.get("etag")]);
  const headers = { "if-match": read.etag ?? "" };
  expect((await rest(service.url, "/bio", { key, method: "PATCH", headers, body: { bio: "x" } })).status).toBe(200);
});

test("short, streaming and cookie-protected responses aren't compressed", async () => {
  const all = { "accept-encoding": "br, gzip" };
  const { key } = await service.createCaller();
  const authorization = `Bearer ${key}`;
  expect(await get("/api/v1/usage", { ...all, authorization })).toMatchObject({ status: 200, encoding: undefined });
  const id = await transcribeLater(service.url, key, service.standin.urlOf("CenAmiable1"));
  const stream = await fetch(`${service.url}/api/v1/transcriptions/${id}`, {
    headers: { ...all, authorization, accept: "text/event-stream" },
  });
  expect([stream.headers.get("content-type"), stream.headers.get("content-encoding")]).toEqual([
    "text/event-stream; charset=utf-8",
    null,
  ]);
  await stream.body?.cancel();
  const person = await signIn(service);
  for (const path of ["/app/api/overview", "/api/v1/overview"]) {
    const answer = await person.jar.fetch(`${service.url}${path}`, { headers: all });
    expect([path, answer.status, (await answer.text()).length > 1_024]).toEqual([path, 200, true]);
    expect(answer.headers.get("content-encoding"), path).toBeNull();
  }
});
