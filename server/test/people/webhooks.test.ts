import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { startReceiver, type ReceivedEvent, type Receiver } from "../harness/start-receiver.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { addWebhook, isGenuine, listWebhooks } from "../harness/webhooks.ts";

const minute = 60_000;
const patience = { timeout: 30_000 };

let service: TestService;
let receivers: Receiver[] = [];
beforeAll(async () => {
  const gate = createGatedTranscriber();
  gate.open();
  const rateLimits = { default: 1_000, transcribe: 1_000, bioWrite: 20, address: 600 };
  service = await startTestService({ transcriber: gate, rateLimits });
});
afterAll(() => service.close());
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  receivers = [];
});

let people = 0;
const aPerson = (of = service): Promise<SignedIn> => signIn(of, { email: `hooked${(people += 1)}@example.com` });
const aReceiver = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
};
const newReel = (): string => service.standin.urlOf(service.standin.addReel({ bytes: Buffer.from("sound") }).code);
const walledReel = (): string =>
  service.standin.urlOf(service.standin.addReel({ bytes: Buffer.from("x"), wall: "pleaseWait" }).code);

/** Transcribes as the person's program does. */
async function transcribe(person: SignedIn, url: string): Promise<string> {
  const { body } = await person.api("createKey", { name: "Program" });
  const headers = { prefer: "respond-async" };
  const answer = await rest(service.url, "/transcribe", { key: body.secret, body: { url }, headers });
  expect(answer.status).toBe(202);
  await person.api("revokeKey", { id: body.key.id });
  return answer.body.id;
}

describe("webhooks", () => {
  test("notify of transcriptions that are done or failed, signed, without what was said", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { secret } = await addWebhook(person, `${receiver.url}/hook?of=mine`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const reelUrl = newReel();
    const done = await transcribe(person, reelUrl);
    await expect.poll(() => receiver.events.length, patience).toBe(1);
    const [event] = receiver.events as [ReceivedEvent];
    expect(event.path).toBe("/hook?of=mine");
    expect(event.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": expect.stringMatching(/^msg_/),
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    });
    const seconds = Math.abs(Number(event.headers["webhook-timestamp"]) - service.clock.now().getTime() / 1_000);
    expect(seconds).toBeLessThan(300);
    expect(isGenuine(event, secret)).toBe(true);
    expect(isGenuine({ ...event, body: `${event.body} ` }, secret), "of another body").toBe(false);
    expect(JSON.parse(event.body)).toEqual({
      type: "transcription.done",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: done, status: "done", reelUrl, scriptId: expect.stringMatching(/^scr_/) },
    });
    await expect
      .poll(() => listWebhooks(person), patience)
      .toMatchObject([
        { failingSince: null, disabledAt: null, last: { event: "transcription.done", status: 204, problem: null } },
      ]);
    expect((await person.api("exportAccount")).body.webhooks).toMatchObject([{ url: `${receiver.url}/hook?of=mine` }]);
    expect(JSON.stringify(await listWebhooks(person))).not.toContain(secret.slice(6));

    const failed = await transcribe(person, walledReel());
    await expect.poll(() => receiver.events.length, patience).toBe(2);
    expect(JSON.parse(receiver.events[1]!.body)).toMatchObject({
      type: "transcription.failed",
      data: { id: failed, status: "failed" },
    });
  });

  test("are tried again later and later with the same id, and a new signature", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { secret } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(500).end();
    const lastAt = async (): Promise<unknown> => (await listWebhooks(person))[0].last?.at;
    let noted = await lastAt();
    await transcribe(person, newReel());
    for (const [index, wait] of [5_000, 5 * minute, 30 * minute, 2 * hour].entries()) {
      await expect.poll(() => receiver.events.length, patience).toBe(index + 1);
      // Before it is noted nobody knows when the next one is due.
      await expect.poll(lastAt, patience).not.toBe(noted);
      noted = await lastAt();
      if (index === 3) receiver.answer = (response) => response.writeHead(200).end("thanks");
      service.clock.advance(wait);
    }
    await expect.poll(() => receiver.events.length, patience).toBe(5);
    await expect.poll(async () => (await listWebhooks(person))[0].last.problem, patience).toBe(null);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(5);
    expect(new Set(receiver.events.map(({ body }) => body)).size).toBe(1);
    expect(receiver.events.every((event) => isGenuine(event, secret))).toBe(true);
    service.clock.advance(24 * hour);
    await person.api("testWebhook", { id: (await listWebhooks(person))[0].id });
    await expect.poll(() => receiver.events.length, patience).toBe(6);
    expect(JSON.parse(receiver.events[5]!.body).type, "what was delivered isn't sent again").toBe("webhook.test");
  });

  test("are disabled after three days of failures, told so, and enabled again", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { id } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(503).end();
    await transcribe(person, newReel());
    await expect.poll(async () => (await listWebhooks(person))[0].last?.status, patience).toBe(503);
    expect(await listWebhooks(person)).toMatchObject([{ failingSince: expect.any(String), disabledAt: null }]);
    service.clock.advance(73 * hour);
    await expect.poll(async () => (await listWebhooks(person))[0].disabledAt, patience).not.toBeNull();
    const sent = receiver.events.length;
    receiver.answer = (response) => response.writeHead(204).end();
    await transcribe(person, newReel());
    expect((await person.api("testWebhook", { id })).status).toBe(200);
    await expect.poll(() => receiver.events.length, patience).toBe(sent + 1);
    expect(JSON.parse(receiver.events.at(-1)!.body).type, "a test is sent, events are not").toBe("webhook.test");
    expect(await person.api("enableWebhook", { id })).toMatchObject({ status: 200, body: { disabledAt: null } });
    const again = await transcribe(person, newReel());
    await expect.poll(() => receiver.events.map(({ body }) => JSON.parse(body).data.id), patience).toContain(again);
  });

  test("that answer 410 are disabled at once", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(410).end();
    await transcribe(person, newReel());
    await expect.poll(async () => (await listWebhooks(person))[0].disabledAt, patience).not.toBeNull();
  });

  test("can be tested, once at a time and without being tried again", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { id, secret } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(404).end();
    expect(await person.api("testWebhook", { id })).toMatchObject({ status: 200, body: { id } });
    await expect
      .poll(async () => (await listWebhooks(person))[0].last, patience)
      .toMatchObject({ event: "webhook.test", status: 404, problem: "status" });
    expect((await listWebhooks(person))[0].failingSince, "a test counts as no failure").toBeNull();
    expect(JSON.parse(receiver.events[0]!.body)).toEqual({
      type: "webhook.test",
      timestamp: expect.any(String),
      data: {},
    });
    expect(isGenuine(receiver.events[0]!, secret)).toBe(true);
    receiver.answer = () => undefined;
    const statuses = await Promise.all(Array.from({ length: 12 }, () => person.api("testWebhook", { id })));
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  test("are at most five of an account, also when many are added at a time", async () => {
    const person = await aPerson();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => person.api("createWebhook", { url: `https://hooks.example/${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 403)?.body.error).toMatchObject({ code: "limitReached" });
    const webhooks = await listWebhooks(person);
    expect(webhooks).toHaveLength(5);
    expect((await person.api("deleteWebhook", { id: webhooks[0].id })).status).toBe(200);
    expect((await person.api("createWebhook", { url: "https://hooks.example/next" })).status).toBe(200);
  });

  test("of another account can't be seen, tested, enabled or deleted, and hear nothing", async () => {
    const [person, stranger, receiver] = [await aPerson(), await aPerson(), await aReceiver()];
    const { id } = await addWebhook(person, receiver.url);
    expect(await listWebhooks(stranger)).toEqual([]);
    for (const name of ["testWebhook", "enableWebhook", "deleteWebhook"] as const)
      expect(await stranger.api(name, { id })).toMatchObject({ status: 404, body: { error: { code: "notFound" } } });
    const own = await aReceiver();
    await addWebhook(stranger, own.url);
    await transcribe(stranger, newReel());
    await expect.poll(() => own.events.length, patience).toBe(1);
    expect(receiver.events).toEqual([]);
  });

  test("are for signed-in people alone: no key opens them", async () => {
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/webhooks", { key })).status).toBe(404);
    const bare = await fetch(`${service.url}/app/api/webhooks`, { headers: { authorization: `Bearer ${key}` } });
    expect(bare.status).toBe(401);
  });

  test("go with the endpoint and with the account", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { id } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(500).end();
    await transcribe(person, newReel());
    await expect.poll(() => receiver.events.length, patience).toBe(1);
    expect((await person.api("deleteWebhook", { id })).status).toBe(200);
    expect(await listWebhooks(person)).toEqual([]);
    await addWebhook(person, receiver.url);
    await transcribe(person, newReel());
    await expect.poll(() => receiver.events.length, patience).toBe(2);
    expect((await person.api("deleteAccount", { confirm: `hooked${people}@example.com` })).status).toBe(200);
    service.clock.advance(hour);
    const other = await aPerson();
    const witness = await aReceiver();
    const { id: own } = await addWebhook(other, witness.url);
    await other.api("testWebhook", { id: own });
    await expect.poll(() => witness.events.length, patience).toBe(1);
    expect(receiver.events, "nothing is sent any more").toHaveLength(2);
  });
});
