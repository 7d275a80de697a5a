import { describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, used } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();

const service = serviceOfTests({ transcriber: gate, rateLimits: { transcribe: 1_000 } });

const call = (key: string, idempotencyKey: string, body: unknown) =>
  rest(service.url, "/transcribe", { key, body, headers: { "idempotency-key": idempotencyKey } });

test("the first success is repeated for 24 hours, counted as a call", async () => {
  const caller = await service.createCaller();
  const url = service.newReel();
  const first = await call(caller.key, "k-1", { url, languageHint: "en" });
  expect(first).toMatchObject({ status: 200, body: { cached: false, usage: { used: 1 } } });
  expect(first.headers.get("idempotent-replayed")).toBeNull();

  service.clock.advance(23 * hour);
  const again = await call(caller.key, "k-1", { languageHint: "en", url });
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const second = await caller.createKey();
  const other = await call(second.key, "k-1", { url, languageHint: "en" });
  expect(other, "another key has answers of its own").toMatchObject({
    status: 200,
    body: { cached: true, usage: { used: 0 } },
  });
  expect(other.headers.get("idempotent-replayed")).toBeNull();
  const before = Number(again.headers.get("ratelimit-remaining"));
  const third = await call(caller.key, "k-1", { url, languageHint: "en" });
  expect(Number(third.headers.get("ratelimit-remaining"))).toBe(before - 1);

  service.clock.advance(2 * hour);
  const later = await call(caller.key, "k-1", { url, languageHint: "en" });
  expect(later).toMatchObject({ status: 200, body: { cached: true } });
  expect(later.headers.get("idempotent-replayed")).toBeNull();
  expect(await used(service.url, caller.key)).toBe(1);
});

test("the same key with another body is 422, except in another account", async () => {
  const [caller, other] = await Promise.all([service.createCaller(), service.createCaller()]);
  const url = service.newReel();
  await call(caller.key, "k", { url });
  const answer = await call(caller.key, "k", { url, languageHint: "en" });
  expect(answer).toMatchObject({ status: 422, body: { error: { code: "invalidRequest" } } });
  expect(answer.headers.get("x-error-reason")).toBe("idempotencyKeyReused");
  expect(await call(other.key, "k", { url })).toMatchObject({
    status: 200,
    body: { cached: true, usage: { used: 0 } },
  });
});

test("errors are not kept", async () => {
  const caller = await service.createCaller();
  const deleted = service.standin.reels.find(({ availability }) => availability === "deleted")!;
  expect((await call(caller.key, "k", { url: service.standin.urlOf(deleted.code) })).status).toBe(404);
  expect((await call(caller.key, "k", {})).status).toBe(400);
  expect((await call(caller.key, "k", { url: service.newReel() })).status).toBe(200);
});

test("one of two equal requests runs, the other must retry later", async () => {
  const caller = await service.createCaller();
  const url = service.newReel();
  gate.close();
  const twins = Array.from({ length: 5 }, () => call(caller.key, "twin", { url }));
  const early = await Promise.race(twins);
  expect(early).toMatchObject({ status: 409, body: { error: { code: "inProgress" } } });
  expect(early.headers.get("x-error-reason")).toBe("idempotencyKeyInUse");
  expect(Number(early.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  const sameTime = await call(caller.key, "twin", { url, languageHint: "en" });
  expect(sameTime.status).toBe(422);
  gate.open();
  const statuses = (await Promise.all(twins)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409, 409]);
  expect((await call(caller.key, "twin", { url })).headers.get("idempotent-replayed")).toBe("true");
  expect(await used(service.url, caller.key)).toBe(1);
});

test("calls that a dead process began are free when its lease ends", async () => {
  const caller = await service.createCaller();
  const url = service.newReel();
  const dead = { subject: { accountId: caller.accountId, slot: 1 }, key: "dead", request: new Uint8Array(32) };
  await service.store.idempotentAnswers.begin({ ...dead, leaseSeconds: 30, now: service.clock.now() });
  expect((await call(caller.key, "dead", { url })).status).toBe(422);
  service.clock.advance(31_000);
  expect(await call(caller.key, "dead", { url })).toMatchObject({ status: 200, body: { cached: false } });
});

test.each(["has a space", "ü", "x".repeat(256), ""])("the key %j is refused", async (idempotencyKey) => {
  const caller = await service.createCaller();
  const answer = await call(caller.key, idempotencyKey, { url: service.newReel() });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalidRequest" } } });
  expect(answer.body.error.message).toContain("255");
});

test("operations that do not honor a key ignore it", async () => {
  const { key } = await service.createCaller();
  const headers = { "idempotency-key": "has a space" };
  expect((await rest(service.url, "/usage", { key, headers })).status).toBe(200);
});

describe("a 202 that is asked for again", () => {
  const answersOf = async (body: unknown, headers: Record<string, string>, key: string) =>
    rest(service.url, "/transcribe", { key, body, headers: { "idempotency-key": "later", ...headers } });
  const later = { prefer: "respond-async" };

  test("is the progress, and afterward the result in the requested form", async () => {
    const { key } = await service.createCaller();
    const url = service.newReel();
    gate.close();
    const first = await answersOf({ url }, later, key);
    expect([first.status, first.body.status]).toEqual([202, "queued"]);
    expect(await answersOf({ url }, later, key)).toMatchObject({ status: 202, body: { id: first.body.id } });
    const waiting = await answersOf({ url }, {}, key);
    expect(waiting).toMatchObject({ status: 409, body: { error: { code: "inProgress" } } });
    expect(waiting.headers.get("location")).toBe(`/api/v1/transcriptions/${first.body.id}`);
    gate.open();
    await rest(service.url, `/transcriptions/${first.body.id}`, {
      key,
      headers: { accept: "text/event-stream" },
    }).catch(() => undefined);
    for (const headers of [later, {}]) {
      const again = await answersOf({ url }, headers, key);
      expect(again).toMatchObject({
        status: 200,
        body: {
          cached: false,
          transcriptionId: first.body.id,
          scriptId: expect.stringMatching(/^scr_/),
          usage: { used: 1 },
        },
      });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
  });

  test("is the failure after it failed", async () => {
    const { key } = await service.createCaller();
    const deleted = service.standin.urlOf(
      service.standin.addReel({ availability: "deleted", bytes: Buffer.from("not looked at") }).code,
    );
    const first = await answersOf({ url: deleted }, later, key);
    expect(first.status).toBe(202);
    await expect
      .poll(async () => (await rest(service.url, `/transcriptions/${first.body.id}`, { key })).body.status)
      .toBe("failed");
    expect(await answersOf({ url: deleted }, later, key)).toMatchObject({
      status: 404,
      body: { error: { code: "notFound" } },
    });
  });
});

test("a change that honors no key refuses one, and does nothing", async () => {
  const { key } = await service.createCaller();
  const headers = { "idempotency-key": "bio-1" };
  const refused = await rest(service.url, "/bio", { key, method: "PATCH", body: { bio: "Once." }, headers });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "invalidRequest" } } });
  expect(refused.body.error.message).toContain("If-Match");
  const page = await rest(service.url, "/bio", { key, headers });
  expect(page, "reading needs no key").toMatchObject({ status: 200, body: { revision: 0 } });
});
