import { randomInt } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWebhookSender } from "../../src/adapters/guarded-fetch/webhook-sender.ts";
import { signInNew } from "../harness/sign-in.ts";
import { startNameServer, type NameServer } from "../harness/start-name-server.ts";
import { receiverOfTest } from "../harness/start-receiver.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { addWebhook, listWebhooks } from "../harness/webhooks.ts";

/** An address of this machine where nobody listens but the tests. */
const hidden = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

let names: NameServer;
beforeAll(async () => {
  names = await startNameServer({
    "intranet.example": hidden,
    "missing.example": null,
    "rebound.example": "127.0.0.1",
  });
});
afterAll(() => names.close());
const service = serviceOfTests(() => ({
  transcriber: null,
  webhookSender: createWebhookSender({ mayBeLoopback: false, nameServers: [names.address] }),
}));

describe("addresses of webhook endpoints on a server", () => {
  test("whose names no name server answers leave other lookups alone", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => signInNew(service)));
    const hosts = people.flatMap((_, index) => [`a${index}.example`, `b${index}.example`]);
    for (const [index, host] of hosts.entries()) {
      const person = people[index >> 1]!;
      const { id } = await addWebhook(person, `https://${host}/hook`);
      await person.api("testWebhook", { id });
    }
    await expect.poll(() => hosts.filter((host) => !names.requestedNames.has(host))).toEqual([]);
    expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
    const failed = { last: { status: null, problem: expect.stringMatching(/^(timeout|unreachable)$/) } };
    for (const person of people) await expect.poll(() => listWebhooks(person)).toMatchObject([failed, failed]);
  });

  test("with private addresses look like missing names, and are never contacted", async () => {
    let connections = 0;
    // If the machine lets nobody listen at port 443, there is nothing to connect to.
    const inner = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).on("error", () => undefined);
    inner.listen(443, hidden);
    const person = await signInNew(service);
    const hosts = ["intranet.example", "missing.example"];
    for (const host of hosts) {
      const { id } = await addWebhook(person, `https://${host}/`);
      await person.api("testWebhook", { id });
    }
    const unreachable = { last: { status: null, problem: "unreachable" } };
    await expect.poll(() => listWebhooks(person)).toMatchObject([unreachable, unreachable]);
    expect([hosts.every((host) => names.requestedNames.has(host)), connections]).toEqual([true, 0]);
    if (inner.listening) await once(inner.close(), "close");
  });

  test("are accepted and reached only at public https addresses", async () => {
    const receiver = await receiverOfTest();
    const person = await signInNew(service);
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
  });
});
