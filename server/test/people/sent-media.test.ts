import { request } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aSender as senderTo, type Sender } from "./media-sender.ts";

const maxMediaBytes = 3_000_000;
const rateLimits = { default: 1_000, transcribe: 1_000, address: 10_000 };

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate, maxMediaBytes, rateLimits });
afterEach(() => gate.open());

const aSender = () => senderTo(service);
const reelsOf = async ({ ask }: Sender) => (await ask("/script-reels")).body;
const heldOf = ({ person }: Sender) =>
  service.store.allowances.read({ accountId: person.accountId, slot: 0 }, "lifetime");

describe("media that an extension sends", () => {
  test("are transcribed for one unit into that account's library only", async () => {
    const ana = await aSender();
    const ben = await aSender();
    const reel = service.newReel();
    const result = await ana.send(reel);
    expect(result.answer).toMatchObject({ cached: false, transcription: { status: "queued", reelUrl: reel } });
    expect(await ana.ended(result.id)).toMatchObject({ status: "done", result: { cached: false } });
    expect((await ben.ask(`/transcriptions/${result.id}`)).status).toBe(404);

    expect(await ana.used()).toBe(1);
    const library = await reelsOf(ana);
    expect(library).toMatchObject({ scripts: [{ reelUrl: reel }], more: false, total: 1 });
    expect((await ana.ask(`/scripts/${library.scripts[0].id}`)).body.transcript).toContain("The same sentence");
    const { secret } = (await ana.person.api("createKey", { name: "k" })).body;
    expect((await rest(service.url, "/scripts?query=sentence", { key: secret })).body.total).toBe(1);
    expect((await ana.send(reel)).answer, "again it is there already").toEqual({ cached: true });
    expect(await ana.used()).toBe(1);

    const { secret: bens } = (await ben.person.api("createKey", { name: "k" })).body;
    const resolved = await rest(service.url, `/reels/resolve?${new URLSearchParams({ url: reel })}`, { key: bens });
    expect(resolved.body.transcript).toEqual({ cached: false, cost: 1 });
    expect((await rest(service.url, "/scripts", { key: bens })).body.total).toBe(0);
    expect((await ben.send(reel)).status, "who sends it too pays too").toBe(200);
  });

  test("are replaced, free, by what the service fetches for anybody", async () => {
    const ana = await aSender();
    const ben = await aSender();
    const reel = service.newReel();
    await ana.sendAndEnd(reel);
    const before = await reelsOf(ana);
    const fetched = await ben.ask("/transcribe", { body: { url: reel } });
    expect([fetched.status, fetched.body.cached, await ben.used()]).toEqual([200, false, 1]);
    const after = await reelsOf(ana);
    expect(after, "the script is the same").toEqual(before);
    expect((await ana.ask(`/scripts/${after.scripts[0].id}`)).body.caption, "and knows the reel now").toEqual(
      (await ben.ask(`/scripts/${(await reelsOf(ben)).scripts[0].id}`)).body.caption,
    );
    expect((await ana.ask("/transcribe", { body: { url: reel } })).body.cached).toBe(true);
    expect(await ana.used()).toBe(1);
  });

  test("are replaced free by fetched media while one unit is left", async () => {
    const ana = await aSender();
    const reel = service.newReel();
    const last = service.newReel();
    for (const sentReel of [reel, last]) await ana.sendAndEnd(sentReel);
    for (let more = 2; more < 9; more += 1) await ana.sendAndEnd(service.newReel());
    const fetched = await ana.ask("/transcribe", { body: { url: reel } });
    expect([fetched.status, fetched.body.usage]).toEqual([200, { used: 9, limit: 10 }]);
    expect(await heldOf(ana)).toEqual({ used: 9, held: 0 });
    expect((await reelsOf(ana)).total).toBe(9);
    await ana.sendAndEnd(service.newReel());
    expect((await ana.ask("/transcribe", { body: { url: last } })).status).toBe(403);
  });

  test("can't exceed the quota, one after another or concurrently", async () => {
    const ana = await aSender();
    for (let used = 0; used < 9; used += 1) await ana.sendAndEnd(service.newReel());
    gate.close();
    const racers = await Promise.all(Array.from({ length: 6 }, () => ana.send(service.newReel())));
    const started = racers.filter(({ status }) => status === 200);
    expect(racers.map(({ status }) => status).every((status) => [200, 403, 409].includes(status))).toBe(true);
    expect(started).toHaveLength(1);
    expect(await heldOf(ana)).toEqual({ used: 9, held: 1 });
    expect(await ana.send(service.newReel())).toMatchObject({
      status: 403,
      answer: { error: { code: "limitReached" } },
    });
    gate.open();
    await ana.ended(started[0]!.id);
    expect(await heldOf(ana)).toEqual({ used: 10, held: 0 });
  });

  test("are refused if too large, endless, empty, mistyped or without a reel", async () => {
    const ana = await aSender();
    const reel = service.newReel();
    const endless = new ReadableStream({
      async pull(controller) {
        // The service is in this process, and is to get its turn.
        await new Promise((resolve) => setImmediate(resolve));
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const codes = [
      (await ana.send(reel, new Uint8Array(maxMediaBytes + 1))).status,
      await ana.send(reel, endless).then(
        ({ status }) => status,
        // The service hangs up on what goes on for ever; it may be before the answer is read.
        () => 413,
      ),
      (await ana.send(reel, "text", "text/html")).status,
      (await ana.send(reel, "")).status,
      (await ana.send("https://example.com/", "x")).status,
    ];
    expect(codes).toEqual([413, 413, 415, 400, 400]);
    expect(await heldOf(ana)).toEqual({ used: 0, held: 0 });
    expect((await ana.send(reel)).status, "and nothing is left in the way").toBe(200);
  });

  test("that break off leave nothing behind; a concurrent second one must wait", async () => {
    const ana = await aSender();
    const first = service.newReel();
    const second = service.newReel();
    const begin = vi.spyOn(service.store.sentMedia, "begin");
    const { hostname, port } = new URL(service.url);
    const open = request({
      hostname,
      port,
      method: "POST",
      path: `/app/api/reel-media?${new URLSearchParams({ url: first })}`,
      headers: { authorization: `Bearer ${ana.token}`, "content-type": "video/mp4", "content-length": 1_000_000 },
    }).on("error", () => undefined);
    open.write("the beginning");
    // Whoever begins first is the one that the other waits for.
    await expect.poll(() => begin).toHaveResolvedWith(expect.objectContaining({ kind: "begun" }));
    begin.mockRestore();
    await expect.poll(async () => (await ana.send(second)).status).toBe(409);
    open.destroy();
    await expect.poll(async () => (await ana.send(first)).status).toBe(200);
  });

  test("whose process died meanwhile make room again", async () => {
    const ana = await aSender();
    const { clock, store } = service;
    const begin = () =>
      store.sentMedia.begin({
        accountId: ana.person.accountId,
        mostBytes: 1e9,
        mostBytesOfAccount: 1e9,
        mostBytesPerHour: 1e9,
        leastFreeBytes: 0,
        expiresAt: new Date(clock.now().getTime() + 60_000),
        now: clock.now(),
      });
    const dead = await begin();
    expect(dead.kind).toBe("begun");
    expect((await ana.send(service.newReel())).status).toBe(409);
    clock.advance(61_000);
    expect((await ana.send(service.newReel())).status).toBe(200);
    await expect(
      store.sentMedia.append((dead as { mediaId: string }).mediaId, 0, Buffer.from("x"), clock.now()),
    ).rejects.toThrow(/gone/);
  });

  test("go with the script, with the account, and with a takedown", async () => {
    const ana = await aSender();
    const ben = await aSender();
    const cleo = await aSender();
    const reel = service.newReel();
    for (const sender of [ana, ben]) await sender.sendAndEnd(reel);
    const { id } = (await reelsOf(ana)).scripts[0];
    expect((await ana.person.api("deleteScript", { id })).status).toBe(200);
    expect((await reelsOf(ana)).total).toBe(0);
    expect((await ana.send(reel)).status, "it is not there any more").toBe(200);

    gate.close();
    const running = await cleo.send(reel);
    await expect.poll(async () => (await cleo.ask(`/transcriptions/${running.id}`)).body.status).toBe("running");
    const located = { platform: "standin", mediaId: "", shortcode: "", url: reel };
    const [standinReel] = service.standin.reels.filter(({ code }) => reel.includes(code));
    Object.assign(located, { mediaId: standinReel!.mediaId, shortcode: standinReel!.code });
    await service.store.moderation.takeDown(located, { by: "op", reason: "asked", now: service.clock.now() });
    gate.open();
    expect((await reelsOf(ben)).total).toBe(0);
    expect((await cleo.ask(`/transcriptions/${running.id}`)).body.error.code).toBe("notFound");
    expect((await ana.send(reel)).status).toBe(404);

    gate.close();
    const last = await cleo.send(service.newReel());
    expect(last.status).toBe(200);
    expect((await cleo.person.api("deleteAccount", { confirm: cleo.person.email })).status).toBe(200);
    gate.open();
    expect((await ben.ask("/usage")).status).toBe(200);
  });

  test("are nothing for keys, other sites and people without a session", async () => {
    const ana = await aSender();
    const { secret } = (await ana.person.api("createKey", { name: "k" })).body;
    const post = async (headers: Record<string, string>) => {
      const query = new URLSearchParams({ url: service.newReel() });
      const request = { method: "POST", headers: { ...headers, "content-type": "video/mp4" }, body: "x" };
      return (await fetch(`${service.url}/app/api/reel-media?${query}`, request)).status;
    };
    expect(await post({ authorization: `Bearer ${secret}`, origin: "chrome-extension://abc" })).toBe(401);
    expect(await post({ cookie: ana.person.cookie, origin: "https://evil.example" })).toBe(403);
  });
});

describe("the reels of the library", () => {
  test("are listed by a cursor that goes on with what comes later", async () => {
    const ana = await aSender();
    const ben = await aSender();
    const reels = [service.newReel(), service.newReel(), service.newReel()];
    for (const reel of reels.slice(0, 2)) await ana.sendAndEnd(reel);
    const first = (await ana.ask("/script-reels?limit=1")).body;
    expect(first).toMatchObject({ scripts: [{ reelUrl: reels[0] }], more: true, total: 2 });
    const second = (await ana.ask(`/script-reels?cursor=${first.cursor}`)).body;
    expect(second).toMatchObject({ scripts: [{ reelUrl: reels[1] }], more: false });
    const none = (await ana.ask(`/script-reels?cursor=${second.cursor}`)).body;
    expect(none).toEqual({ ...second, scripts: [] });
    await ana.sendAndEnd(reels[2]!);
    expect((await ana.ask(`/script-reels?cursor=${none.cursor}`)).body).toMatchObject({
      scripts: [{ reelUrl: reels[2] }],
      total: 3,
    });
    expect((await ben.ask(`/script-reels?cursor=${none.cursor}`)).status).toBe(400);
  });
});
