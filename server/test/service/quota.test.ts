import { describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { serviceOfTests, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const newReels = (service: TestService, count: number): string[] =>
  Array.from({ length: count }, () => service.newReel());
const ascending = (one: number, other: number): number => one - other;

describe("counted per key", () => {
  const service = serviceOfTests({ transcriber: gate });

  test("ten requests for one fresh reel from ten keys make one transcription", async () => {
    const [url = ""] = newReels(service, 1);
    const callers = await Promise.all(Array.from({ length: 10 }, () => service.createCaller()));
    gate.close();
    const requests = callers.map(({ key }) => transcribe(service.url, key, url));
    let refused = 0;
    for (const one of requests) void one.then(({ status }) => (refused += Number(status === 409)));
    await expect.poll(() => refused).toBe(9);
    gate.open();
    const answers = await Promise.all(requests);

    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    for (const { headers, body } of answers.filter(({ status }) => status === 409)) {
      expect(headers.get("retry-after")).toBe("30");
      expect(body.error.code).toBe("inProgress");
    }
    expect(service.standin.counters.of("media", url.split("/").at(-2))).toBe(1);
    const uses = await Promise.all(callers.map(({ key }) => used(service.url, key)));
    expect(uses.toSorted(ascending)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    for (const { key } of callers) expect((await transcribe(service.url, key, url)).body.cached).toBe(true);
  });

  test("exactly one of five parallel reels gets a slot's last unit", async () => {
    const fresh = newReels(service, 15);
    const caller = await service.createCaller();
    const slow: number[] = [];
    for (const url of fresh.slice(0, 9)) slow.push((await transcribe(service.url, caller.key, url)).status);
    expect(slow).toEqual(slow.map(() => 200));
    expect(await used(service.url, caller.key)).toBe(9);

    service.clock.advance(hour);
    const answers = await Promise.all(fresh.slice(9, 14).map((url) => transcribe(service.url, caller.key, url)));
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 403, 403, 403, 403]);
    for (const { body, headers } of answers.filter(({ status }) => status === 403))
      expect([body.error.code, headers.get("x-error-reason")]).toEqual(["limitReached", "transcriptionsUsed"]);
    expect(await used(service.url, caller.key)).toBe(10);

    service.clock.advance(hour);
    const cached = await transcribe(service.url, caller.key, fresh[0]!);
    expect(cached.body, "a cached reel stays free at 10 of 10").toMatchObject({
      cached: true,
      usage: { used: 10, limit: 10 },
    });

    const other = await caller.createKey();
    expect(await used(service.url, other.key), "another key has an allowance of its own").toBe(0);

    await service.store.keys.revoke(caller.keyId, service.clock.now());
    expect((await rest(service.url, "/usage", { key: caller.key })).status).toBe(401);
    const successor = await caller.createKey();
    expect(await used(service.url, successor.key)).toBe(10);
    expect((await transcribe(service.url, successor.key, fresh[14]!)).status).toBe(403);
  });

  test("a paid plan has monthly periods from the day it began", async () => {
    const [url = ""] = newReels(service, 1);
    const caller = await service.createCaller({ plan: "hobby" });
    const start = service.clock.now();
    await transcribe(service.url, caller.key, url);
    const before = (await rest(service.url, "/usage", { key: caller.key })).body;
    expect(before).toMatchObject({ plan: "hobby", transcriptions: { used: 1, limit: 250 } });
    const resetsAt = new Date(before.transcriptions.resetsAt);
    const days = (resetsAt.getTime() - start.getTime()) / (24 * hour);
    expect(days).toBeGreaterThan(27.9);
    expect(days).toBeLessThan(31.1);

    service.clock.advance(resetsAt.getTime() - service.clock.now().getTime() + 1_000);
    const after = (await rest(service.url, "/usage", { key: caller.key })).body;
    expect(after.transcriptions.used).toBe(0);
    expect(new Date(after.transcriptions.resetsAt).getTime()).toBeGreaterThan(resetsAt.getTime());
  });

  test("Free never resets", async () => {
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/usage", { key })).body).toMatchObject({
      plan: "free",
      transcriptions: { used: 0, limit: 10, resetsAt: null },
    });
  });
});

describe("one allowance for the account", () => {
  const service = serviceOfTests({ transcriber: gate, quotaScope: "account" });

  test("two keys share it; one of five parallel reels gets the last", async () => {
    const reels = newReels(service, 14);
    const first = await service.createCaller();
    const second = await first.createKey();
    for (const url of reels.slice(0, 9)) expect((await transcribe(service.url, first.key, url)).status).toBe(200);
    expect(await used(service.url, second.key)).toBe(9);
    const answers = await Promise.all(reels.slice(9, 14).map((url) => transcribe(service.url, second.key, url)));
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 403, 403, 403, 403]);
    expect([await used(service.url, first.key), await used(service.url, second.key)]).toEqual([10, 10]);
  });
});
