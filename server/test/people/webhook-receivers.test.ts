import { describe, expect, test } from "vitest";
import { createWebhookSender } from "../../src/adapters/guarded-fetch/webhook-sender.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { startNameServer } from "../harness/start-name-server.ts";
import { type Receiver, receiverOfTest } from "../harness/start-receiver.ts";
import { serviceOfTests, startTestService } from "../harness/start-test-service.ts";
import { addWebhook, listWebhooks, transcribeByProgram } from "../harness/webhooks.ts";

const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  rateLimits: { default: 1_000, transcribe: 1_000 },
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
    const [person, hostile, fine] = [await signInNew(service), await receiverOfTest(), await receiverOfTest()];
    hostile.answer = answer;
    const { id } = await addWebhook(person, hostile.url);
    const { id: other } = await addWebhook(person, fine.url);
    await person.api("testWebhook", { id });
    await person.api("testWebhook", { id: other });
    await expect.poll(async () => (await listWebhooks(person))[0].last).toMatchObject(last as object);
    await expect.poll(async () => (await listWebhooks(person))[1].last).toMatchObject({ problem: null });
  });

  test("redirects are not followed, to this machine least of all", async () => {
    const [person, hostile, inner] = [await signInNew(service), await receiverOfTest(), await receiverOfTest()];
    hostile.answer = (response) => response.writeHead(307, { location: `${inner.url}/admin` }).end();
    const { id } = await addWebhook(person, hostile.url);
    await person.api("testWebhook", { id });
    await expect
      .poll(async () => (await listWebhooks(person))[0].last)
      .toMatchObject({ status: 307, problem: "status" });
    expect(inner.events).toEqual([]);
  });

  test("slow ones hold no other account up", async () => {
    const [person, other, fine] = [await signInNew(service), await signInNew(service), await receiverOfTest()];
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

describe("on a server", () => {
  test("addresses of networks that the operator allows are reached too, over http, and no others", async () => {
    const receiver = await receiverOfTest();
    receiver.answer = (response) => response.writeHead(307, { location: "http://127.9.9.9/" }).end();
    const port = new URL(receiver.url).port;
    const names = await startNameServer({
      n8n: "127.0.0.1",
      "beside.example": "127.9.9.9",
      "metadata.example": "169.254.169.254",
    });
    const server = await startTestService({
      transcriber: null,
      webhookSender: createWebhookSender({
        mayBeLoopback: false,
        allowedNetworks: ["127.0.0.1/32", "fd00::/8"],
        nameServers: [names.address],
      }),
    });
    try {
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
      const reached = { last: { status: 307, problem: "status" } };
      const unreachable = { last: { status: null, problem: "unreachable" } };
      await expect.poll(() => listWebhooks(person)).toMatchObject([reached, reached, unreachable, unreachable]);
      expect(receiver.events).toHaveLength(2);
    } finally {
      await server.close();
      await names.close();
    }
  });

  test("only https addresses of the public internet are taken and reached", async () => {
    const receiver = await receiverOfTest();
    const names = await startNameServer({ "rebound.example": "127.0.0.1" });
    const server = await startTestService({
      transcriber: null,
      webhookSender: createWebhookSender({
        mayBeLoopback: false,
        nameServers: [names.address],
      }),
    });
    try {
      const person = await signInNew(server);
      for (const url of [
        receiver.url,
        "http://hooks.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/latest",
        "https://10.1.2.3/",
        "https://2130706433/",
        "https://hooks.example:8443/",
        "https://user:secret@hooks.example/",
        "ftp://hooks.example/",
        "hooks.example",
        `https://hooks.example/${"x".repeat(2_048)}`,
      ]) {
        const { status, body } = await person.api("createWebhook", { url });
        expect([url, status, body.error?.code]).toEqual([url, 400, "invalidRequest"]);
      }
      const { id } = await addWebhook(person, "https://rebound.example/hook#part");
      expect((await listWebhooks(person))[0].url).toBe("https://rebound.example/hook");
      await person.api("testWebhook", { id });
      await expect
        .poll(async () => (await listWebhooks(person))[0].last)
        .toMatchObject({ status: null, problem: "unreachable" });
    } finally {
      await server.close();
      await names.close();
    }
  });
});
