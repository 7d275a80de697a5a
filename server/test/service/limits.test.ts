import { operations, restBasePath, type Operation } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const service = serviceOfTests({ transcriber: null, rateLimits: { default: 60 } });

const withChecksumOfAnother = "svc_sk_" + "A".repeat(49);

describe.each(Object.entries(operations) as [string, Operation][])(
  "%s",
  (operationName, { http: { method, path }, access, input, example }) => {
    const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(example[name])));
    const fields = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.has(name)));
    const call = (options: Parameters<typeof rest>[2]) =>
      method === "GET"
        ? rest(
            service.url,
            `${filled}?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))}`,
            { ...options, method },
          )
        : rest(service.url, filled, { body: fields, ...options, method });

    test("is 401 with a wrong key; without one, unless it is public", async () => {
      const unauthorized = { status: 401, body: { error: { code: "unauthorized" } } };
      expect(await call({})).toMatchObject(access === "public" ? { status: 200 } : unauthorized);
      expect(await call({ key: withChecksumOfAnother })).toMatchObject(unauthorized);
    });

    const required = Object.entries(input.shape)
      .filter(([name, schema]) => !inPath.has(name) && !schema.safeParse(undefined).success)
      .map(([name]) => name);
    test("names the field that is missing, where one is required", async () => {
      // It needs one of two fields, and says so in a sentence of its own.
      if (operationName === "tagScripts") return;
      if (required.length === 0)
        return expect(input.safeParse(Object.fromEntries([...inPath].map((name) => [name, "x"]))).success).toBe(true);
      const { key } = await service.createCaller();
      const answer =
        method === "GET"
          ? await rest(service.url, filled, { key })
          : await rest(service.url, filled, { key, method, body: {} });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining(`\`${required[0]}\` is missing`) } },
      });
    });
  },
);

test.each([
  ["another scheme", () => "Basic abc"],
  ["no key", () => "Bearer"],
  ["a wrong checksum", () => `Bearer ${withChecksumOfAnother}`],
  ["a revoked key", ({ key }: { key: string }) => `Bearer ${key}`],
  ["a key and more", ({ key }: { key: string }) => `Bearer ${key}x`],
])("%s is 401 with a challenge", async (_name, authorizationOf) => {
  const caller = await service.createCaller();
  await service.store.keys.revoke(caller.keyId, service.clock.now());
  const answer = await rest(service.url, "/usage", { headers: { authorization: authorizationOf(caller) } });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
});

test("every path answers a wrong method with 405 and the right ones", async () => {
  const { key } = await service.createCaller();
  const declared: readonly Operation[] = Object.values(operations);
  for (const path of new Set(declared.map(({ http }) => http.path))) {
    const filled = path.replaceAll(/\{\w+\}/g, "x");
    const answer = await rest(service.url, filled, { key, method: "PUT" });
    expect(answer, path).toMatchObject({ status: 405, body: { error: { code: "invalidRequest" } } });
    const methods = declared.flatMap(({ http }) => (http.path === path ? [http.method] : []));
    const allowed = answer.headers.get("allow")?.split(", ") ?? [];
    expect(new Set(allowed.filter((method) => method !== "HEAD")), path).toEqual(new Set(methods));
    expect(answer.headers.get("ratelimit-limit")).toBe("60");
  }
});

describe("bodies", () => {
  test("that are invalid each get a specific error", async () => {
    const { key } = await service.createCaller();
    const send = (body: string, contentType = "application/json") =>
      rest(service.url, "/transcribe", { key, body, headers: { "content-type": contentType } });
    expect(await send("{")).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("JSON") } },
    });
    expect(await send("url=x", "application/x-www-form-urlencoded")).toMatchObject({ status: 415 });
    expect(await send(JSON.stringify({ url: "x".repeat(70_000) }))).toMatchObject({ status: 413 });
    expect(await send("[1]")).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("object") } },
    });
    expect(await send('{"url":"https://www.instagram.com/reel/DLlGZiCOBQ0/","languagehint":"en"}')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("`languagehint`") } },
    });
    expect(await send('{"url":"https://www.instagram.com/reel/DLlGZiCOBQ0/","languageHint":"ja"}')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("en, es, pt, fr, de, it, hi, ta, te, ar, id") } },
    });
    expect(await send('{"url":"https://example.com/reel/DLlGZiCOBQ0/"}')).toMatchObject({
      status: 400,
      body: { error: { code: "invalidRequest" } },
    });
  });
});

test("a misspelled parameter of a change is refused, and nothing changes", async () => {
  const { key } = await service.createCaller();
  const change = (query: string) =>
    rest(service.url, `/bio?${query}`, { key, method: "PATCH", body: { displayName: "Ana" } });
  const { status, body } = await change("dryrun=true");
  expect([status, body.error.code]).toEqual([400, "invalidRequest"]);
  expect(body.error.message).toContain("dryrun");
  expect(body.error.message).toContain("dryRun");
  expect((await rest(service.url, "/bio", { key })).body.revision).toBe(0);
  expect(await change("dryRun=true")).toMatchObject({ status: 200, body: { dryRun: true } });
  const transcribe = rest(service.url, "/transcribe?wait=false", { key, body: { url: "https://example.com/" } });
  expect((await transcribe).body.error.message).toContain("wait");
  expect(await rest(service.url, "/scripts?utm_source=x", { key }), "reading is as strict").toMatchObject({
    status: 400,
  });
});

test("null for an optional field is the same as leaving it out", async () => {
  const { key } = await service.createCaller();
  const patch = (body: object) => rest(service.url, "/bio", { key, method: "PATCH", body });
  expect(
    await patch({ displayName: "Ana", links: [{ id: null, title: "Shop", url: "https://example.com/" }] }),
  ).toMatchObject({ status: 200, body: { revision: 1, links: [{ title: "Shop" }] } });
  const cleared = await patch({ displayName: null });
  expect(cleared, "where null means something it keeps its meaning").toMatchObject({
    status: 200,
    body: { displayName: null, links: [{ title: "Shop" }] },
  });
  const hinted = await rest(service.url, "/transcribe", {
    key,
    body: { url: "https://example.com/", languageHint: null },
  });
  expect(hinted.headers.get("x-error-reason"), "the hint is not what is wrong").toBe("notAReel");
  expect((await rest(service.url, "/transcribe", { key, body: { url: null } })).body.error.message).toContain("`url`");
});

describe("query", () => {
  test.each([
    "limit=0",
    "limit=51",
    "limit=abc",
    "limit=1.5",
    "limit=",
    "sort=shares",
    "account=",
    "limit=1&limit=2",
    `query=${"x".repeat(501)}`,
  ])("%s is refused", async (query) => {
    const { key } = await service.createCaller();
    const field = query.split("=")[0];
    expect(await rest(service.url, `/scripts?${query}`, { key })).toMatchObject({
      status: 400,
      body: { error: { code: "invalidRequest", message: expect.stringContaining(`\`${field}\``) } },
    });
  });

  test("parameters that nobody knows are refused", async () => {
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/scripts?color=red&limit=5", { key })).status).toBe(400);
  });
});

describe("rate limits", () => {
  test("allow 60 requests per rolling hour, failures included, and name the wait", async () => {
    const { key } = await service.createCaller();
    const other = await service.createCaller();
    const kinds = ["/usage", "/scripts?limit=0", "/nowhere", "/scripts"];
    for (let count = 1; count <= 60; count += 1) {
      const answer = await rest(service.url, kinds[count % kinds.length]!, { key });
      expect(answer.status, `request ${count}`).not.toBe(429);
      expect(answer.headers.get("ratelimit-remaining")).toBe(String(60 - count));
      expect(answer.headers.get("ratelimit-limit")).toBe("60");
      if (count === 30) service.clock.advance(hour / 2);
    }
    const refused = await rest(service.url, "/usage", { key });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(1_700);
    expect(wait).toBeLessThanOrEqual(1_800);
    expect((await rest(service.url, "/usage", { key: other.key })).status, "another key is not touched").toBe(200);

    service.clock.advance(wait * 1_000);
    expect((await rest(service.url, "/usage", { key })).status, "after Retry-After").toBe(200);
  });

  test("allow exactly 20 changes of the bio page in an hour", async () => {
    const { key } = await service.createCaller();
    const change = () => rest(service.url, "/bio", { key, method: "PATCH", body: {} });
    for (let count = 1; count <= 20; count += 1) expect((await change()).status).toBe(200);
    const refused = await change();
    expect([refused.status, refused.headers.get("ratelimit-limit")]).toEqual([429, "20"]);
  });

  test("allow exactly 10 transcribe calls an hour, invalid ones included", async () => {
    const { key } = await service.createCaller();
    for (let count = 1; count <= 10; count += 1)
      expect((await rest(service.url, "/transcribe", { key, body: {} })).status).toBe(400);
    for (let count = 1; count <= 3; count += 1) {
      const refused = await rest(service.url, "/transcribe", { key, body: {} });
      expect(refused.status).toBe(429);
      expect(refused.headers.get("ratelimit-limit")).toBe("10");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    }
    const { body, headers } = await rest(service.url, "/me", { key });
    expect(headers.get("ratelimit-remaining"), "the refused ones did not count").toBe("49");
    expect(body.rateLimits).toEqual({
      default: { limit: 60, remaining: 49 },
      transcribe: { limit: 10, remaining: 0 },
      bioWrite: { limit: 20, remaining: 20 },
    });
  });
});

describe("paths", () => {
  test("that do not exist are 404 in the same envelope", async () => {
    expect(await rest(service.url, "/nowhere")).toMatchObject({ status: 404, body: { error: { code: "notFound" } } });
    const response = await fetch(`${service.url}/somewhere/else`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "notFound" } }]);
    expect(await rest(service.url, "/nowhere", { key: withChecksumOfAnother })).toMatchObject({ status: 401 });
    expect((await rest(service.url, "/%E0%A4%A")).status).toBe(400);
  });

  test("an operator who names nobody for weaknesses has no page that does", async () => {
    expect((await fetch(`${service.url}/.well-known/security.txt`)).status).toBe(404);
  });

  test("health is told without a key", async () => {
    const response = await fetch(`${service.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  });

  test("the document of the interface is there without a key", async () => {
    const document = (await (await fetch(`${service.url}${restBasePath}/openapi.json`)).json()) as {
      openapi: string;
      info: { version: string };
    };
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
  });
});
