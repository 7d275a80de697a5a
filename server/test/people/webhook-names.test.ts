import { randomInt } from "node:crypto";
import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createWebhookSender } from "../../src/adapters/guarded-fetch/webhook-sender.ts";
import { signIn } from "../harness/sign-in.ts";
import { startNameServer, type NameServer } from "../harness/start-name-server.ts";
import { startTestService } from "../harness/start-test-service.ts";
import { addWebhook, listWebhooks } from "../harness/webhooks.ts";

describe("names of webhook endpoints on a server", () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  async function aServer(names: NameServer) {
    const webhookSender = createWebhookSender({ mayBeLoopback: false, nameServers: [names.address] });
    const service = await startTestService({ transcriber: null, webhookSender });
    closers.push(
      () => names.close(),
      () => service.close(),
    );
    return service;
  }

  test("that no name server answers leave other lookups alone", async () => {
    const names = await startNameServer();
    const service = await aServer(names);
    const people = await Promise.all(
      ["one", "two", "three", "four"].map((name) => signIn(service, { email: `${name}@example.com` })),
    );
    const hosts = people.flatMap((_, index) => [`a${index}.example`, `b${index}.example`]);
    for (const [index, host] of hosts.entries()) {
      const person = people[index >> 1]!;
      const { id } = await addWebhook(person, `https://${host}/hook`);
      await person.api("testWebhook", { id });
    }
    await expect.poll(() => names.asked).toEqual(new Set(hosts));
    expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
    for (const person of people)
      await expect
        .poll(async () => (await listWebhooks(person)).map(({ last }: { last: unknown }) => last))
        .toMatchObject([
          { status: null, problem: expect.stringMatching(/^(timeout|unreachable)$/) },
          { status: null, problem: expect.stringMatching(/^(timeout|unreachable)$/) },
        ]);
  });

  test("that lead into the private network look like names that don't exist, and aren't connected to", async () => {
    const hidden = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
    let connections = 0;
    // Where nobody may listen there is nothing to connect to.
    const inner = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).on("error", () => undefined);
    inner.listen(443, hidden);
    closers.push(async () => inner.close());
    const names = await startNameServer({ "intranet.example": hidden, "missing.example": null });
    const service = await aServer(names);
    const person = await signIn(service, { email: "curious@example.com" });
    for (const host of ["intranet.example", "missing.example"]) {
      const { id } = await addWebhook(person, `https://${host}/`);
      await person.api("testWebhook", { id });
    }
    const unreachable = { last: { status: null, problem: "unreachable" } };
    await expect.poll(() => listWebhooks(person)).toMatchObject([unreachable, unreachable]);
    expect([names.asked.size, connections]).toEqual([2, 0]);
  });
});
