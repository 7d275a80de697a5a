import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { transcribeLater } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { startReceiver, type Receiver } from "../harness/start-receiver.ts";
import { startTestService } from "../harness/start-test-service.ts";

describe.skipIf(!testDatabaseUrl)("webhooks of several processes (runs with TEST_DATABASE_URL)", () => {
  let databaseUrl: string;
  let drop: () => Promise<unknown>;
  let receiver: Receiver;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    ({ databaseUrl, drop } = await migratedDatabase(testDatabaseUrl ?? ""));
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    closers.push(() => receiver.close());
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  afterAll(() => drop());

  const aNode = async (options: Parameters<typeof startTestService>[0] = {}) => {
    const rateLimits = { default: 1_000, transcribe: 1_000 };
    const transcriber = createGatedTranscriber();
    const node = await startTestService({ databaseUrl, transcriber, rateLimits, ...options });
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (!isClosed) await node.close();
      isClosed = true;
    };
    closers.push(close);
    return { ...node, close };
  };

  test("send every event once", async () => {
    const one = await aNode();
    await aNode({ transcriber: null });
    const person = await signIn(one, { email: "both@example.com" });
    await person.api("createWebhook", { url: receiver.url });
    const { secret: key } = (await person.api("createKey", { name: "Program" })).body;
    const ids = await Promise.all(Array.from({ length: 8 }, () => transcribeLater(one.url, key, one.newReel())));
    await expect.poll(() => receiver.events.length).toBe(8);
    expect(new Set(receiver.events.map(({ body }) => JSON.parse(body).data.transcriptionId))).toEqual(new Set(ids));
    await person.api("testWebhook", { id: (await person.api("listWebhooks")).body.webhooks[0].id });
    await expect.poll(() => receiver.events.length).toBe(9);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-id"])).size, "none came twice").toBe(9);
  });

  test("lose nothing when one dies while it sends", async () => {
    let isSending = false;
    const dying = await aNode({
      webhookSender: {
        accepts: () => true,
        send: (_url, _message, signal) => {
          isSending = true;
          return new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
          );
        },
      },
    });
    const person = await signIn(dying, { email: "dying@example.com" });
    const { webhook } = (await person.api("createWebhook", { url: receiver.url })).body;
    await person.api("testWebhook", { id: webhook.id });
    await expect.poll(() => isSending).toBe(true);
    await dying.close();
    expect(dying.faults, "an end is no fault").toEqual([]);
    const next = await aNode({ transcriber: null });
    next.clock.advance(31_000);
    await expect.poll(() => receiver.events.length).toBe(1);
  });
});
