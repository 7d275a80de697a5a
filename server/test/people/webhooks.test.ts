import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createHmac, timingSafeEqual } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createWebhookSender } from "../../src/adapters/guarded-fetch/webhook-sender.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { startReceiver, type ReceivedEvent, type Receiver } from "../harness/start-receiver.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

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
async function add(person: SignedIn, url: string): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body } = await person.api("createWebhook", { url });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.webhook.id, secret: body.secret };
}
const listed = async (person: SignedIn) => (await person.api("listWebhooks")).body.webhooks;
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

/** Checks a signature as Standard Webhooks describe it, written apart from the service. */
function verify({ headers, body }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(signed, "utf8").digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((part) => {
      const [version, signature = ""] = part.split(",");
      const given = Buffer.from(signature, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

describe("webhooks", () => {
  test("notify of transcriptions that are done or failed, signed, without what was said", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { secret } = await add(person, `${receiver.url}/hook?of=mine`);
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
    expect(verify(event, secret)).toBe(true);
    expect(verify({ ...event, body: `${event.body} ` }, secret), "of another body").toBe(false);
    expect(JSON.parse(event.body)).toEqual({
      type: "transcription.done",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: done, status: "done", reelUrl },
    });
    await expect
      .poll(() => listed(person), patience)
      .toMatchObject([
        { failingSince: null, disabledAt: null, last: { event: "transcription.done", status: 204, problem: null } },
      ]);
    expect((await person.api("exportAccount")).body.webhooks).toMatchObject([{ url: `${receiver.url}/hook?of=mine` }]);
    expect(JSON.stringify(await listed(person))).not.toContain(secret.slice(6));

    const failed = await transcribe(person, walledReel());
    await expect.poll(() => receiver.events.length, patience).toBe(2);
    expect(JSON.parse(receiver.events[1]!.body)).toMatchObject({
      type: "transcription.failed",
      data: { id: failed, status: "failed" },
    });
  });

  test("are tried again later and later with the same id, and a new signature", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { secret } = await add(person, receiver.url);
    receiver.answer = (response) => response.writeHead(500).end();
    const lastAt = async (): Promise<unknown> => (await listed(person))[0].last?.at;
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
    await expect.poll(async () => (await listed(person))[0].last.problem, patience).toBe(null);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.events.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(5);
    expect(new Set(receiver.events.map(({ body }) => body)).size).toBe(1);
    expect(receiver.events.every((event) => verify(event, secret))).toBe(true);
    service.clock.advance(24 * hour);
    await person.api("testWebhook", { id: (await listed(person))[0].id });
    await expect.poll(() => receiver.events.length, patience).toBe(6);
    expect(JSON.parse(receiver.events[5]!.body).type, "what was delivered isn't sent again").toBe("webhook.test");
  });

  test("are disabled after three days of failures, told so, and enabled again", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { id } = await add(person, receiver.url);
    receiver.answer = (response) => response.writeHead(503).end();
    await transcribe(person, newReel());
    await expect.poll(async () => (await listed(person))[0].last?.status, patience).toBe(503);
    expect(await listed(person)).toMatchObject([{ failingSince: expect.any(String), disabledAt: null }]);
    service.clock.advance(73 * hour);
    await expect.poll(async () => (await listed(person))[0].disabledAt, patience).not.toBeNull();
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
    await add(person, receiver.url);
    receiver.answer = (response) => response.writeHead(410).end();
    await transcribe(person, newReel());
    await expect.poll(async () => (await listed(person))[0].disabledAt, patience).not.toBeNull();
  });

  test("can be tested, once at a time and without being tried again", async () => {
    const [person, receiver] = [await aPerson(), await aReceiver()];
    const { id, secret } = await add(person, receiver.url);
    receiver.answer = (response) => response.writeHead(404).end();
    expect(await person.api("testWebhook", { id })).toMatchObject({ status: 200, body: { id } });
    await expect
      .poll(async () => (await listed(person))[0].last, patience)
      .toMatchObject({ event: "webhook.test", status: 404, problem: "status" });
    expect((await listed(person))[0].failingSince, "a test counts as no failure").toBeNull();
    expect(JSON.parse(receiver.events[0]!.body)).toEqual({
      type: "webhook.test",
      timestamp: expect.any(String),
      data: {},
    });
    expect(verify(receiver.events[0]!, secret)).toBe(true);
    receiver.answer = () => undefined;
    const statuses = await Promise.all(Array.from({ length: 12 }, () => person.api("testWebhook", { id })));
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  test("are at most five of an account, also when many are added at a time", async () => {
    const person = await aPerson();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => person.api("createWebhook", { url: `https://hooks.example/${index}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 403, 403, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body.error).toMatchObject({ code: "limitReached" });
    const webhooks = await listed(person);
    expect(webhooks).toHaveLength(5);
    expect((await person.api("deleteWebhook", { id: webhooks[0].id })).status).toBe(200);
    expect((await person.api("createWebhook", { url: "https://hooks.example/next" })).status).toBe(200);
  });

  test("of another account can't be seen, tested, enabled or deleted, and hear nothing", async () => {
    const [person, stranger, receiver] = [await aPerson(), await aPerson(), await aReceiver()];
    const { id } = await add(person, receiver.url);
    expect(await listed(stranger)).toEqual([]);
    for (const name of ["testWebhook", "enableWebhook", "deleteWebhook"] as const)
      expect(await stranger.api(name, { id })).toMatchObject({ status: 404, body: { error: { code: "notFound" } } });
    const own = await aReceiver();
    await add(stranger, own.url);
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
    const { id } = await add(person, receiver.url);
    receiver.answer = (response) => response.writeHead(500).end();
    await transcribe(person, newReel());
    await expect.poll(() => receiver.events.length, patience).toBe(1);
    expect((await person.api("deleteWebhook", { id })).status).toBe(200);
    expect(await listed(person)).toEqual([]);
    await add(person, receiver.url);
    await transcribe(person, newReel());
    await expect.poll(() => receiver.events.length, patience).toBe(2);
    expect((await person.api("deleteAccount", { confirm: `hooked${people}@example.com` })).status).toBe(200);
    service.clock.advance(hour);
    const other = await aPerson();
    const witness = await aReceiver();
    const { id: own } = await add(other, witness.url);
    await other.api("testWebhook", { id: own });
    await expect.poll(() => witness.events.length, patience).toBe(1);
    expect(receiver.events, "nothing is sent any more").toHaveLength(2);
  });
});

describe("the documentation", () => {
  const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const snippet = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)![1]!;
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, ok").toString("base64")}`;
  const body = '{"type":"webhook.test","data":{"emoji":"é"}}';
  const signed = (text: string, stamp: string): ReceivedEvent["headers"] => {
    const key = Buffer.from(secret.slice(6), "base64");
    const signature = createHmac("sha256", key).update(`msg_1.${stamp}.${text}`).digest("base64");
    return { "webhook-id": "msg_1", "webhook-timestamp": stamp, "webhook-signature": `v1,AAAA v1,${signature}` };
  };
  const cases: readonly [headers: ReceivedEvent["headers"], body: string, isGenuine: boolean][] = [
    [signed(body, "1795341600"), body, true],
    [signed(body, "1795341600"), `${body} `, false],
    [signed(body, "1795341000"), body, false],
    [{ ...signed(body, "1795341600"), "webhook-id": "msg_2" }, body, false],
    [{}, body, false],
  ];

  test("checks signatures in Node", async () => {
    const code = `data:text/javascript,${encodeURIComponent(snippet("js"))}`;
    const { isGenuine } = (await import(code)) as { isGenuine: (...given: unknown[]) => boolean };
    for (const [headers, text, isRight] of cases) expect(isGenuine(headers, text, secret, 1_795_341_700)).toBe(isRight);
  });

  const python = spawnSync("python3", ["-c", ""]).status === 0;
  test.skipIf(!python)("checks signatures in Python (runs where there is one)", () => {
    const code = `${snippet("python")}\nimport json, sys\nfor h, b, s in json.load(sys.stdin): print(is_genuine(h, b.encode(), s, 1795341700))`;
    const given = cases.map(([headers, text]) => [headers, text, secret]);
    const run = spawnSync("python3", ["-c", code], { input: JSON.stringify(given), encoding: "utf8" });
    expect(run.stdout.trim().split("\n"), run.stderr).toEqual(["True", "False", "False", "False", "False"]);
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
    const [person, hostile, fine] = [await aPerson(), await aReceiver(), await aReceiver()];
    hostile.answer = answer;
    const { id } = await add(person, hostile.url);
    const { id: other } = await add(person, fine.url);
    await person.api("testWebhook", { id });
    await person.api("testWebhook", { id: other });
    await expect.poll(async () => (await listed(person))[0].last, patience).toMatchObject(last as object);
    await expect.poll(async () => (await listed(person))[1].last, patience).toMatchObject({ problem: null });
  });

  test("redirects are not followed, to this machine least of all", async () => {
    const [person, hostile, inner] = [await aPerson(), await aReceiver(), await aReceiver()];
    hostile.answer = (response) => response.writeHead(307, { location: `${inner.url}/admin` }).end();
    const { id } = await add(person, hostile.url);
    await person.api("testWebhook", { id });
    await expect
      .poll(async () => (await listed(person))[0].last, patience)
      .toMatchObject({ status: 307, problem: "status" });
    expect(inner.events).toEqual([]);
  });

  test("slow ones hold nobody else up", async () => {
    const [person, fine] = [await aPerson(), await aReceiver()];
    const slow = await Promise.all(Array.from({ length: 4 }, aReceiver));
    const waiting: (() => void)[] = [];
    for (const one of slow) {
      one.answer = (response) => void waiting.push(() => response.writeHead(204).end());
      await add(person, one.url);
    }
    await transcribe(person, newReel());
    await expect.poll(() => waiting.length, patience).toBeGreaterThanOrEqual(4);
    const { id } = await add(person, fine.url);
    await person.api("testWebhook", { id });
    await expect.poll(() => fine.events.length, patience).toBe(1);
    for (const answer of waiting) answer();
  });
});

describe("on a server", () => {
  test("only https addresses of the public internet are taken and reached", async () => {
    const receiver = await aReceiver();
    const server = await startTestService({
      transcriber: null,
      webhookSender: createWebhookSender({
        mayBeLoopback: false,
        resolveHost: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      }),
    });
    try {
      const person = await aPerson(server);
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
      const { id } = await add(person, "https://rebound.example/hook#part");
      expect((await listed(person))[0].url).toBe("https://rebound.example/hook");
      await person.api("testWebhook", { id });
      await expect
        .poll(async () => (await listed(person))[0].last, patience)
        .toMatchObject({ status: null, problem: "refused" });
    } finally {
      await server.close();
    }
  });
});
