import { formerSecretHours, redeliveriesPerMinute } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { createWebhookSender } from "../../src/adapters/guarded-fetch/webhook-sender.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { rest, transcribeLater } from "../harness/rest.ts";
import { signInNew } from "../harness/sign-in.ts";
import { nameServerOfTest } from "../harness/start-name-server.ts";
import { type Receiver, receiverOfTest } from "../harness/start-receiver.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { addWebhook, isGenuine, listWebhooks, transcribeByProgram } from "../harness/webhooks.ts";

const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  rateLimits: { transcribe: 1_000 },
});

/** An account's program with an endpoint. */
async function anEndpoint() {
  const { key } = await service.createCaller();
  const receiver = await receiverOfTest();
  const call = (path: string, body?: object) => rest(service.url, path, { key, ...(body && { body }) });
  const { webhook, secret } = (await call("/webhooks", { url: receiver.url })).body;
  const path = `/webhooks/${webhook.id}`;
  const deliveries = async () => (await call(`${path}/deliveries`)).body.deliveries;
  const transcribe = () => transcribeLater(service.url, key, service.newReel());
  return { key, receiver, call, path, secret: secret as string, deliveries, transcribe };
}

const forget = () => runUpkeep(service.store, "forget-webhook-deliveries", service.clock.now());

const idsOf = ({ events }: Receiver) => events.map(({ headers }) => headers["webhook-id"]);

describe("the log of an endpoint", () => {
  test("has each event with its last and next attempt, newest first", async () => {
    const { receiver, call, path, deliveries, transcribe } = await anEndpoint();
    expect(await deliveries()).toEqual([]);
    receiver.answer = (response) => response.writeHead(receiver.events.length === 1 ? 503 : 204).end();
    const transcriptionId = await transcribe();
    let failed = { attemptedAt: "" };
    await expect.poll(async () => ([failed] = await deliveries())[0]?.status).toBe(503);
    expect(failed).toEqual({
      id: idsOf(receiver)[0],
      event: "transcription.done",
      transcriptionId,
      batchId: null,
      createdAt: expect.any(String),
      attempts: 1,
      attemptedAt: expect.any(String),
      status: 503,
      problem: "status",
      nextAttemptAt: new Date(Date.parse(failed.attemptedAt) + 5_000).toISOString(),
    });
    service.clock.advance(5_000);
    await expect.poll(deliveries).toMatchObject([{ attempts: 2, status: 204, problem: null, nextAttemptAt: null }]);
    await call(`${path}/test`, {});
    await expect
      .poll(deliveries)
      .toMatchObject([{ event: "webhook.test", transcriptionId: null, status: 204 }, { transcriptionId }]);
  });

  test("forgets after five days", async () => {
    const { call, path, deliveries } = await anEndpoint();
    await call(`${path}/test`, {});
    await expect.poll(deliveries).toMatchObject([{ status: 204 }]);
    service.clock.advance(5 * 24 * hour);
    await forget();
    expect(await deliveries()).toEqual([]);
  });

  test("and what it has are nobody else's", async () => {
    const mine = await anEndpoint();
    const other = await anEndpoint();
    await mine.transcribe();
    await expect.poll(mine.deliveries).toMatchObject([{ status: 204 }]);
    const [{ id: deliveryId }] = await mine.deliveries();
    const refused = { status: 404, body: { error: { code: "notFound" } } };
    expect(await other.call(`${mine.path}/deliveries`)).toMatchObject(refused);
    expect(await other.call(`${mine.path}/rotate`, {})).toMatchObject(refused);
    expect(await other.call(`${mine.path}/redeliver`, { deliveryId })).toMatchObject(refused);
    expect(await other.call(`${other.path}/redeliver`, { deliveryId }), "at an own endpoint").toMatchObject(refused);
    expect(mine.receiver.events).toHaveLength(1);
    expect(other.receiver.events).toEqual([]);
  });
});

describe("an event", () => {
  test("is sent again on request with its id, and retried like new", async () => {
    const { receiver, secret, call, path, deliveries, transcribe } = await anEndpoint();
    await transcribe();
    await expect.poll(deliveries).toMatchObject([{ status: 204 }]);
    const [{ id: deliveryId }] = await deliveries();
    receiver.answer = (response) => response.writeHead(receiver.events.length === 2 ? 500 : 204).end();
    expect((await call(`${path}/redeliver`, { deliveryId })).status).toBe(200);
    await expect.poll(deliveries).toMatchObject([{ attempts: 1, status: 500 }]);
    service.clock.advance(5_000);
    await expect.poll(deliveries).toMatchObject([{ attempts: 2, status: 204, nextAttemptAt: null }]);
    expect(idsOf(receiver)).toEqual([deliveryId, deliveryId, deliveryId]);
    expect(receiver.events.every((event) => isGenuine(event, secret))).toBe(true);
  });

  test("is sent again only so often in a minute, however many ask", async () => {
    const { receiver, call, path, deliveries } = await anEndpoint();
    await call(`${path}/test`, {});
    await expect.poll(deliveries).toMatchObject([{ status: 204 }]);
    const [{ id: deliveryId }] = await deliveries();
    const flood = Array.from({ length: redeliveriesPerMinute + 3 }, () => call(`${path}/redeliver`, { deliveryId }));
    const answers = await Promise.all(flood);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(redeliveriesPerMinute);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(["60", "60", "60"]);
    service.clock.advance(60_000);
    expect((await call(`${path}/redeliver`, { deliveryId })).status).toBe(200);
    await expect.poll(deliveries).toMatchObject([{ status: 204, nextAttemptAt: null }]);
    expect(receiver.events.length).toBeLessThanOrEqual(redeliveriesPerMinute + 2);
  });

  test("of a disabled endpoint waits for it to be enabled", async () => {
    const { receiver, call, path, deliveries, transcribe } = await anEndpoint();
    receiver.answer = (response) => response.writeHead(410).end();
    await transcribe();
    await expect.poll(deliveries).toMatchObject([{ status: 410, nextAttemptAt: null }]);
    const [{ id: deliveryId }] = await deliveries();
    expect(await call(`${path}/redeliver`, { deliveryId })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("Enable it") } },
    });
    receiver.answer = (response) => response.writeHead(204).end();
    await call(`${path}/enable`, {});
    await expect.poll(deliveries).toMatchObject([{ attempts: 1, status: 204 }]);
    await call(`${path}/enable`, {});
    expect((await deliveries())[0].nextAttemptAt, "what was delivered stays so").toBeNull();
  });
});

describe("a rotated secret", () => {
  test("signs together with the former one, for a day", async () => {
    const { receiver, call, path, secret: first } = await anEndpoint();
    const validSecrets = async (): Promise<boolean[]> => {
      const before = receiver.events.length;
      await call(`${path}/test`, {});
      await expect.poll(() => receiver.events.length).toBe(before + 1);
      return [first, second, third].map((secret) => isGenuine(receiver.events.at(-1)!, secret));
    };
    const until = service.clock.now().getTime() + formerSecretHours * hour;
    const { body } = await call(`${path}/rotate`, {});
    const second: string = body.secret;
    let third = second;
    expect(Date.parse(body.webhook.formerSecretUntil)).toBeGreaterThanOrEqual(until);
    expect(await validSecrets()).toEqual([true, true, true]);
    expect(String(receiver.events.at(-1)!.headers["webhook-signature"])).toMatch(/^v1,\S+ v1,\S+$/);
    third = (await call(`${path}/rotate`, {})).body.secret;
    expect(await validSecrets(), "a second rotation ends the first secret").toEqual([false, true, true]);
    service.clock.advance(formerSecretHours * hour);
    expect(await validSecrets()).toEqual([false, false, true]);
    await forget();
    expect((await call("/webhooks")).body.webhooks[0].formerSecretUntil).toBeNull();
  });
});

describe("hostile receivers", () => {
  test.each<[string, Receiver["answer"], unknown]>([
    ["never answers", () => undefined, { status: null, problem: "timeout" }],
    ["closes the connection", (response) => response.destroy(), { status: null, problem: "unreachable" }],
    [
      "has headers of ten megabytes",
      (response) => {
        response.socket?.write("HTTP/1.1 200 OK\r\n");
        response.socket?.write(`x-large: ${"x".repeat(10_000_000)}\r\n\r\n`);
      },
      { status: null, problem: "unreachable" },
    ],
    [
      "never ends its answer",
      (response) => {
        response.writeHead(200);
        const more = (): void => {
          if (!response.destroyed) response.write("x".repeat(65_536), more);
        };
        more();
      },
      { status: 200, problem: null },
    ],
  ])("one that %s harms nobody", async (_, answer, last) => {
    const person = await signInNew(service);
    const hostile = await receiverOfTest();
    const fine = await receiverOfTest();
    hostile.answer = answer;
    const { id } = await addWebhook(person, hostile.url);
    const { id: other } = await addWebhook(person, fine.url);
    await person.api("testWebhook", { id });
    await person.api("testWebhook", { id: other });
    await expect.poll(async () => (await listWebhooks(person))[0].last).toMatchObject(last as object);
    await expect.poll(async () => (await listWebhooks(person))[1].last).toMatchObject({ problem: null });
  });

  test("redirects are not followed, to this machine least of all", async () => {
    const person = await signInNew(service);
    const hostile = await receiverOfTest();
    const inner = await receiverOfTest();
    hostile.answer = (response) => response.writeHead(307, { location: `${inner.url}/admin` }).end();
    const { id } = await addWebhook(person, hostile.url);
    await person.api("testWebhook", { id });
    await expect
      .poll(async () => (await listWebhooks(person))[0].last)
      .toMatchObject({ status: 307, problem: "status" });
    expect(inner.events).toEqual([]);
  });

  test("slow ones hold no other account up", async () => {
    const person = await signInNew(service);
    const other = await signInNew(service);
    const fine = await receiverOfTest();
    const slow = await Promise.all(Array.from({ length: 4 }, receiverOfTest));
    const waiting: (() => void)[] = [];
    for (const one of slow) {
      one.answer = (response) => void waiting.push(() => response.writeHead(204).end());
      await addWebhook(person, one.url);
    }
    await transcribeByProgram(service, person, service.newReel());
    await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(2);
    const { id } = await addWebhook(other, fine.url);
    await other.api("testWebhook", { id });
    await expect.poll(() => fine.events.length).toBe(1);
    for (const answer of waiting) answer();
  });
});

test("networks that the operator allows are reached over http, too, others aren't", async () => {
  const receiver = await receiverOfTest();
  receiver.answer = (response) => response.writeHead(307, { location: "http://127.9.9.9/" }).end();
  const port = new URL(receiver.url).port;
  const names = await nameServerOfTest({
    n8n: "127.0.0.1",
    "beside.example": "127.9.9.9",
    "metadata.example": "169.254.169.254",
  });
  const server = await serviceOfTest({
    transcriber: null,
    webhookSender: createWebhookSender({
      mayBeLoopback: false,
      allowedNetworks: ["127.0.0.1/32", "fd00::/8"],
      nameServers: [names.address],
    }),
  });
  const person = await signInNew(server);
  for (const url of [
    `http://127.9.9.9:${port}/`,
    "http://169.254.169.254/latest",
    "https://10.1.2.3/",
    "http://1.1.1.1/",
    "http://[fe80::1]/",
    "http://[::ffff:127.9.9.9]/",
    `http://user:secret@127.0.0.1:${port}/`,
  ]) {
    const { status, body } = await person.api("createWebhook", { url });
    expect([url, status, body.error?.code]).toEqual([url, 400, "invalidRequest"]);
  }
  for (const host of ["n8n", "127.0.0.1", "beside.example", "metadata.example"]) {
    const { id } = await addWebhook(person, `http://${host}:${port}/hook`);
    await person.api("testWebhook", { id });
  }
  const redirectedHook = { last: { status: 307, problem: "status" } };
  const unreachable = { last: { status: null, problem: "unreachable" } };
  await expect
    .poll(() => listWebhooks(person))
    .toMatchObject([redirectedHook, redirectedHook, unreachable, unreachable]);
  expect(receiver.events).toHaveLength(2);
});
