import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests, startTestService, type TestServiceOptions } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const options: TestServiceOptions = {
  transcriber: gate,
  rateLimits: { default: 1_000, transcribe: 1_000 },
};

const service = serviceOfTests(options);
beforeEach(() => {
  gate.open();
  gate.close();
});

const newReel = (of = service): string => of.newReel();
const askAsync = (key: string, url: string, headers: Record<string, string> = {}, of = service) =>
  rest(of.url, "/transcribe", {
    key,
    body: { url },
    headers: { prefer: "handling=lenient, Respond-Async;x=1", ...headers },
  });
const read = (key: string, id: string) => rest(service.url, `/transcriptions/${id}`, { key });
async function untilRunning(key: string, id: string): Promise<void> {
  await expect.poll(async () => (await read(key, id)).body).toMatchObject({ status: "running", progress: 0.525 });
}

describe("Prefer: respond-async", () => {
  test("responds immediately, and the transcription can be polled until done", async () => {
    const caller = await service.createCaller();
    const url = newReel();
    const accepted = await askAsync(caller.key, url);
    expect(accepted.status).toBe(202);
    const { id } = accepted.body;
    expect(accepted.headers.get("location")).toBe(`/api/v1/transcriptions/${id}`);
    expect(accepted.headers.get("preference-applied")).toBe("respond-async");
    expect(accepted.body).toMatchObject({
      id: expect.stringMatching(/^trn_/),
      reelUrl: url,
      requestedAt: expect.any(String),
    });
    expect(["queued", "running"]).toContain(accepted.body.status);
    expect(accepted.body).not.toHaveProperty("result");

    await untilRunning(caller.key, id);
    const again = await askAsync(caller.key, url);
    expect([again.status, again.body.id], "asked again, it is the same one").toEqual([202, id]);
    const waiting = await rest(service.url, "/transcribe", { key: caller.key, body: { url } });
    expect(waiting, "who wants to wait is told as before").toMatchObject({ status: 409 });

    gate.open();
    await expect.poll(async () => (await read(caller.key, id)).body.status).toBe("done");
    expect((await read(caller.key, id)).body).toEqual({
      id,
      status: "done",
      progress: 1,
      reelUrl: url,
      requestedAt: accepted.body.requestedAt,
      finishedAt: expect.any(String),
      scriptId: expect.stringMatching(/^scr_/),
      result: {
        transcript: "The same sentence for every reel.",
        language: "en",
        cached: false,
        usage: { used: 1, limit: 10 },
        scriptId: expect.stringMatching(/^scr_/),
        transcriptionId: id,
      },
      receipt: {
        model: "one-sentence",
        revision: 1,
        languageProbability: 0.9,
        speechSeconds: 2,
        audioSeconds: 3,
        cut: false,
        quality: "unmeasured",
      },
    });
    const cached = await askAsync(caller.key, url);
    expect(cached).toMatchObject({ status: 200, body: { cached: true, usage: { used: 1 } } });
    expect(cached.headers.get("preference-applied")).toBeNull();
  });

  test("of many at once one transcription comes, and it is charged once", async () => {
    const { key } = await service.createCaller();
    const url = newReel();
    const answers = await Promise.all(Array.from({ length: 8 }, () => askAsync(key, url)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    gate.open();
    await expect.poll(async () => (await read(key, answers[0]!.body.id)).body.status).toBe("done");
    expect(await used(service.url, key)).toBe(1);
  });

  test("somebody else meets 409 for the reel, and 404 for the transcription", async () => {
    const [caller, other] = await Promise.all([service.createCaller(), service.createCaller()]);
    const url = newReel();
    const { body, headers } = await askAsync(caller.key, url);
    const refused = await askAsync(other.key, url);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "inProgress" } } });
    expect(refused.headers.get("location")).toBeNull();
    const again = await transcribe(service.url, caller.key, url);
    expect(again.status).toBe(409);
    expect(again.headers.get("location"), "of one's own there is something to follow").toBe(headers.get("location"));
    const [theirs, nobodys] = await Promise.all([read(other.key, body.id), read(other.key, "trn_0000000000000000")]);
    expect(theirs).toMatchObject({ status: 404, body: nobodys.body });
    expect(await (await follow(other.key, body.id)).json()).toEqual(nobodys.body);
    const second = await caller.createKey();
    expect((await read(second.key, body.id)).status, "by another key of the account").toBe(200);
    gate.open();
  });

  test("a failure is told with its code and message, and costs nothing", async () => {
    const { key } = await service.createCaller();
    const walled = service.standin.addReel({ bytes: Buffer.from("x"), wall: "pleaseWait" });
    const { body } = await askAsync(key, service.standin.urlOf(walled.code));
    await expect.poll(async () => (await read(key, body.id)).body.status).toBe("failed");
    const failed = await read(key, body.id);
    expect(failed).toMatchObject({
      status: 200,
      body: { status: "failed", error: { code: "upstreamError", message: expect.stringContaining("platform") } },
    });
    expect(failed.body).not.toHaveProperty("result");
    expect(await used(service.url, key)).toBe(0);
  });

  test("other preferences change nothing", async () => {
    const { key } = await service.createCaller();
    gate.open();
    const answer = await rest(service.url, "/transcribe", {
      key,
      body: { url: newReel() },
      headers: { prefer: 'return=minimal, wait=5, x="respond-async"' },
    });
    expect(answer).toMatchObject({ status: 200, body: { cached: false } });
  });
});

const follow = (key: string, id: string, of = service) =>
  fetch(`${of.url}/api/v1/transcriptions/${id}`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
  });

interface StreamEvent {
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at data of every shape
  readonly data: any;
}

function eventsOf(text: string): StreamEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? [];
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
  });
}

describe("Accept: text/event-stream", () => {
  test("tells each change and the end, and then ends", async () => {
    const { key } = await service.createCaller();
    const { body } = await askAsync(key, newReel());
    await untilRunning(key, body.id);
    const stream = await follow(key, body.id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.headers.get("x-request-id")).toMatch(/^req_/);
    expect(stream.headers.get("ratelimit-limit")).toBe("1000");
    gate.open();
    const events = eventsOf(await stream.text());
    expect(events.map(({ event }) => event)).toEqual([...events.slice(1).map(() => "progress"), "finished"]);
    expect(events.length).toBeGreaterThan(1);
    expect(events[0]?.data).toMatchObject({ id: body.id, status: "running", progress: 0.525 });
    expect(events.at(-1)?.data).toEqual((await read(key, body.id)).body);

    const late = eventsOf(await (await follow(key, body.id)).text());
    expect(late, "a finished transcription is one event").toEqual([events.at(-1)]);
  });

  test("a failure is an end too", async () => {
    const { key } = await service.createCaller();
    const walled = service.standin.addReel({ bytes: Buffer.from("x"), wall: "pleaseWait" });
    const { body } = await askAsync(key, service.standin.urlOf(walled.code));
    const events = eventsOf(await (await follow(key, body.id)).text());
    expect(events.at(-1)).toMatchObject({
      event: "finished",
      data: { status: "failed", error: { code: "upstreamError" } },
    });
  });

  test("is JSON if that is accepted first; errors aren't streams", async () => {
    const { key } = await service.createCaller();
    const { body } = await askAsync(key, newReel());
    const headers = { accept: "application/json, text/event-stream;q=0.5" };
    const answer = await rest(service.url, `/transcriptions/${body.id}`, { key, headers });
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.headers.get("vary")).toBe("accept");
    const unknown = await follow(key, "trn_0000000000000000");
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: "notFound" } }]);
    gate.open();
  });

  test("who goes away is not waited for, and the work goes on", async () => {
    const { key } = await service.createCaller();
    const { body } = await askAsync(key, newReel());
    await untilRunning(key, body.id);
    const leaving = get(`${service.url}/api/v1/transcriptions/${body.id}`, {
      agent: false,
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
    });
    const [stream] = (await once(leaving, "response")) as [IncomingMessage];
    await once(stream, "data");
    stream.destroy();
    gate.open();
    await expect.poll(async () => (await read(key, body.id)).body.status).toBe("done");
  });

  test("ends when the service goes down, which does not wait for it", async () => {
    const other = await startTestService(options);
    const { key } = await other.createCaller();
    const { body } = await askAsync(key, newReel(other), {}, other);
    const stream = await follow(key, body.id, other);
    expect(stream.status).toBe(200);
    const whole = stream.text();
    await other.close();
    expectUnfinished(await whole);
  });
});

function expectUnfinished(text: string): void {
  expect(eventsOf(text).map(({ event }) => event)).toEqual(eventsOf(text).map(() => "progress"));
  expect(eventsOf(text)).not.toEqual([]);
}

describe("a stream of events ends soon", () => {
  test("after its key was revoked, and the others go on", async () => {
    const caller = await service.createCaller();
    const second = await caller.createKey();
    const id = await transcribeLater(service.url, caller.key, service.newReel());
    const [first, other] = await Promise.all([follow(caller.key, id), follow(second.key, id)]);
    let otherEnded = false;
    const otherText = other.text().finally(() => (otherEnded = true));
    expect(first.status).toBe(200);
    await service.store.keys.revoke(caller.keyId, service.clock.now());
    expectUnfinished(await first.text());
    expect((await follow(caller.key, id)).status).toBe(401);
    expect(otherEnded).toBe(false);
    gate.open();
    expect(await otherText).toContain("event: finished");
  });

  test("after its key has expired, and says so", async () => {
    const person = await signIn(service, { email: "expiring@example.com" });
    const expiresAt = new Date(service.clock.now().getTime() + hour).toISOString();
    const { secret } = (await person.api("createKey", { name: "Today", expiresAt })).body;
    const id = await transcribeLater(service.url, secret, service.newReel());
    const stream = await follow(secret, id);
    expect(stream.status).toBe(200);
    service.clock.advance(hour);
    expectUnfinished(await stream.text());
    expect((await follow(secret, id)).headers.get("x-error-reason")).toBe("keyExpired");
  });

  test("after its session was ended elsewhere", async () => {
    const person = await signIn(service);
    const elsewhere = await signIn(service);
    const answer = await person.jar.fetch(`${service.url}/app/api/transcribe`, {
      method: "POST",
      headers: { origin: service.url, "content-type": "application/json", prefer: "respond-async" },
      body: JSON.stringify({ url: service.newReel() }),
    });
    const { id } = (await answer.json()) as { id: string };
    const stream = await person.jar.fetch(`${service.url}/app/api/transcriptions/${id}`, {
      headers: { origin: service.url, accept: "text/event-stream" },
    });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect((await elsewhere.api("revokeOtherSessions")).status).toBe(200);
    expectUnfinished(await stream.text());
  });
});
