import { describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { signInNew } from "../harness/sign-in.ts";
import { type ReceivedEvent, receiverOfTest } from "../harness/start-receiver.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { addWebhook, isGenuine, listWebhooks, transcribeByProgram } from "../harness/webhooks.ts";

const minute = 60_000;

const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  rateLimits: { transcribe: 1_000 },
});

const walledReel = (): string => service.newReel({ wall: "pleaseWait" });

describe("webhooks", () => {
  test("created with a key end with it, unless a person enables them", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const newKey = async (): Promise<{ id: string; secret: string }> => {
      const { body } = await person.api("createKey", { name: "Stolen" });
      return { id: body.key.id, secret: body.secret };
    };
    const state = async (): Promise<boolean[]> =>
      (await listWebhooks(person)).map(({ disabledAt }: { disabledAt: string | null }) => disabledAt === null);
    const key = await newKey();
    const answer = await rest(service.url, "/webhooks", { key: key.secret, body: { url: `${receiver.url}/key` } });
    expect(answer.status).toBe(200);
    await addWebhook(person, `${receiver.url}/person`);
    await person.api("revokeKey", { id: key.id });
    expect(await state()).toEqual([false, true]);
    await transcribeByProgram(service, person, service.newReel());
    await expect.poll(() => receiver.events.map(({ path }) => path)).toEqual(["/person"]);

    const other = await newKey();
    const id: string = answer.body.webhook.id;
    expect((await rest(service.url, `/webhooks/${id}/enable`, { key: other.secret, method: "POST" })).status).toBe(200);
    await expect.poll(() => receiver.events.map(({ path }) => path)).toEqual(["/person", "/key"]);
    await person.api("revokeKey", { id: other.id });
    expect(await state()).toEqual([false, true]);
    expect((await person.api("enableWebhook", { id })).status).toBe(200);
    expect(await state(), "it is the person's now").toEqual([true, true]);
  });

  test("report completed and failed transcriptions, signed, without their text", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const { secret } = await addWebhook(person, `${receiver.url}/hook?of=mine`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const reelUrl = service.newReel();
    const done = await transcribeByProgram(service, person, reelUrl);
    await expect.poll(() => receiver.events.length).toBe(1);
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
      data: {
        transcriptionId: done,
        status: "done",
        reelUrl,
        platform: "standin",
        scriptId: expect.stringMatching(/^scr_/),
      },
    });
    await expect
      .poll(() => listWebhooks(person))
      .toMatchObject([
        { failingSince: null, disabledAt: null, last: { event: "transcription.done", status: 204, problem: null } },
      ]);
    expect((await person.api("exportAccount")).body.webhooks).toMatchObject([{ url: `${receiver.url}/hook?of=mine` }]);
    expect(JSON.stringify(await listWebhooks(person))).not.toContain(secret.slice(6));

    const failed = await transcribeByProgram(service, person, walledReel());
    await expect.poll(() => receiver.events.length).toBe(2);
    expect(JSON.parse(receiver.events[1]!.body)).toMatchObject({
      type: "transcription.failed",
      data: {
        transcriptionId: failed,
        status: "failed",
        error: { code: "upstreamError", reason: "platformRefused" },
      },
    });
  });

  test("are retried at growing intervals, with one id and new signatures", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const { id, secret } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(receiver.events.length < 5 ? 500 : 200).end("thanks");
    await transcribeByProgram(service, person, service.newReel());
    const pauses: number[] = [];
    for (let next: number | null = 0; next !== null;) {
      const before: number = next;
      // Before an attempt is noted nobody knows when the next one is due.
      await expect
        .poll(async () => {
          const [delivery] = (await person.api("listWebhookDeliveries", { id })).body.deliveries;
          if (typeof delivery?.attemptedAt !== "string") return before;
          next = delivery.nextAttemptAt && Date.parse(delivery.nextAttemptAt);
          if (next !== null && next !== before) pauses.push(next - Date.parse(delivery.attemptedAt));
          return next;
        })
        .not.toBe(before);
      if (next !== null) service.clock.advance(Math.max(0, next - service.clock.now().getTime()));
    }
    expect(receiver.events).toHaveLength(5);
    // If the machine stands still for longer than the first wait, that wait is over before anybody sees it.
    expect([5_000, 5 * minute, 30 * minute, 2 * hour]).toEqual(expect.arrayContaining(pauses));
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(5);
    expect(new Set(receiver.events.map(({ body }) => body)).size).toBe(1);
    expect(receiver.events.every((event) => isGenuine(event, secret))).toBe(true);
    service.clock.advance(24 * hour);
    await person.api("testWebhook", { id: (await listWebhooks(person))[0].id });
    await expect.poll(() => receiver.events.length).toBe(6);
    expect(JSON.parse(receiver.events[5]!.body).type, "what was delivered isn't sent again").toBe("webhook.test");
  });

  test("are disabled after three days of failures, told so, and enabled again", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const { id } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(503).end();
    const failed = await transcribeByProgram(service, person, service.newReel());
    await expect.poll(async () => (await listWebhooks(person))[0].last?.status).toBe(503);
    expect(await listWebhooks(person)).toMatchObject([{ failingSince: expect.any(String), disabledAt: null }]);
    service.clock.advance(73 * hour);
    await expect.poll(async () => (await listWebhooks(person))[0].disabledAt).not.toBeNull();
    const eventCount = receiver.events.length;
    receiver.answer = (response) => response.writeHead(204).end();
    const missed = await transcribeByProgram(service, person, service.newReel());
    expect((await person.api("testWebhook", { id })).status).toBe(200);
    await expect.poll(() => receiver.events.length).toBe(eventCount + 1);
    expect(JSON.parse(receiver.events.at(-1)!.body).type, "a test is sent, events are not").toBe("webhook.test");
    expect(await person.api("enableWebhook", { id })).toMatchObject({ status: 200, body: { disabledAt: null } });
    const again = await transcribeByProgram(service, person, service.newReel());
    const transcriptionIds = () =>
      receiver.events.slice(eventCount + 1).map(({ body }) => JSON.parse(body).data.transcriptionId);
    await expect.poll(transcriptionIds).toEqual([failed, missed, again]);
  });

  test("can be tested, once at a time and without being tried again", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const { id, secret } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(404).end();
    expect(await person.api("testWebhook", { id })).toMatchObject({ status: 200, body: { id } });
    await expect
      .poll(async () => (await listWebhooks(person))[0].last)
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

  test("are at most five per account, even when added concurrently", async () => {
    const person = await signInNew(service);
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => person.api("createWebhook", { url: `https://hooks.example/${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
    const sixth = answers.find(({ status }) => status === 403)!;
    expect([sixth.body.error.code, sixth.headers.get("x-error-reason")]).toEqual(["limitReached", "webhooksUsed"]);
    const webhooks = await listWebhooks(person);
    expect(webhooks).toHaveLength(5);
    expect((await person.api("deleteWebhook", { id: webhooks[0].id })).status).toBe(200);
    expect((await person.api("createWebhook", { url: "https://hooks.example/next" })).status).toBe(200);
  });

  test("are managed with a writing key; a read-only key sees them", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const [{ secret: key }, { secret: reading }] = await Promise.all(
      [false, true].map(async (readOnly) => (await person.api("createKey", { name: "Program", readOnly })).body),
    );
    const full = (path: string, body?: object, method = "POST") => rest(service.url, path, { key, method, body });
    const { body: answer } = await full("/webhooks", { url: receiver.url });
    const { id } = answer.webhook;
    expect(await listWebhooks(person)).toEqual([answer.webhook]);
    expect((await full(`/webhooks/${id}/test`, {})).status).toBe(200);
    await expect.poll(() => receiver.events.length).toBe(1);
    expect(isGenuine(receiver.events[0]!, answer.secret)).toBe(true);
    expect(await full(`/webhooks/${id}/enable`, {})).toMatchObject({ status: 200, body: { id, disabledAt: null } });

    expect((await rest(service.url, "/webhooks", { key: reading })).body.webhooks).toMatchObject([{ id }]);
    const changes = [
      ["POST", "/webhooks", { url: receiver.url }],
      ["POST", `/webhooks/${id}/test`, {}],
      ["POST", `/webhooks/${id}/enable`, {}],
      ["DELETE", `/webhooks/${id}`, undefined],
    ] as const;
    for (const [method, path, body] of changes) {
      const refused = await rest(service.url, path, { key: reading, method, body });
      expect([path, refused.status, refused.headers.get("x-error-reason")]).toEqual([path, 401, "keyReadOnly"]);
    }
    const { key: foreign } = await service.createCaller();
    for (const [method, path, body] of changes.slice(1))
      expect([path, (await rest(service.url, path, { key: foreign, method, body })).status]).toEqual([path, 404]);
    expect((await rest(service.url, "/webhooks", { key: foreign })).body.webhooks).toEqual([]);
    expect((await full(`/webhooks/${id}`, undefined, "DELETE")).body).toEqual({ id });
    expect(await listWebhooks(person)).toEqual([]);
  });

  test("go with the endpoint and with the account", async () => {
    const person = await signInNew(service);
    const receiver = await receiverOfTest();
    const { id } = await addWebhook(person, receiver.url);
    receiver.answer = (response) => response.writeHead(500).end();
    await transcribeByProgram(service, person, service.newReel());
    await expect.poll(() => receiver.events.length).toBe(1);
    expect((await person.api("deleteWebhook", { id })).status).toBe(200);
    expect(await listWebhooks(person)).toEqual([]);
    const before = receiver.events.length;
    await addWebhook(person, receiver.url);
    await transcribeByProgram(service, person, service.newReel());
    await expect.poll(() => receiver.events.length).toBeGreaterThan(before);
    expect((await person.api("deleteAccount", { confirm: person.email })).status).toBe(200);
    const eventCount = receiver.events.length;
    service.clock.advance(hour);
    const other = await signInNew(service);
    const witness = await receiverOfTest();
    const { id: ownId } = await addWebhook(other, witness.url);
    await other.api("testWebhook", { id: ownId });
    await expect.poll(() => witness.events.length).toBe(1);
    expect(receiver.events, "nothing is sent any more").toHaveLength(eventCount);
  });
});
