import { afterEach, beforeEach, expect, test } from "vitest";
import { connectMcp } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { receiverOfTest } from "../harness/start-receiver.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const perHour = 14;
const service = serviceOfTests({
  transcriber: gate,
  rateLimits: { transcribe: perHour },
  repeated: ["advance-batches", "locate-share-links"],
});
beforeEach(() => gate.open());
afterEach(() => gate.open());

type Caller = Awaited<ReturnType<typeof service.createCaller>>;

const send = ({ key }: Pick<Caller, "key">, urls: readonly string[], query = "") =>
  rest(service.url, `/transcriptions${query}`, { key, body: { urls } });
const read = async ({ key }: Pick<Caller, "key">, id: string) =>
  (await rest(service.url, `/batches/${id}`, { key })).body;
const isRunning = ({ status }: { readonly status: string }): boolean => status === "running";
const newReels = (count: number): string[] => Array.from({ length: count }, () => service.newReel());

const wordsOf = ({ content }: { readonly content: readonly { readonly type: string; readonly text?: string }[] }) =>
  content.map(({ text = "" }) => text).join("\n");

/**
 * Moves the clock until the batch is as expected: periodic work runs by it. It moves slowly while reels are worked on, whose leases
 * must not end by it.
 */
async function until(caller: Pick<Caller, "key">, id: string, expected: object, milliseconds = 2_000): Promise<void> {
  await expect
    .poll(
      async () => {
        const { counts } = await read(caller, id);
        service.clock.advance(counts.underWay > 0 ? Math.min(milliseconds, 2_000) : milliseconds);
        return read(caller, id);
      },
      { interval: 100 },
    )
    .toMatchObject(expected);
}

test("a batch finishes without its caller, in order, each reel once", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const [cached, ...fresh] = newReels(4);
  await rest(service.url, "/transcribe", { key: caller.key, body: { url: cached } });
  const urls = [cached!, ...fresh, `${fresh[0]}?utm_source=copy`, "https://example.com/not-a-reel"];
  const dry = await send(caller, urls, "?dryRun=true");
  expect(dry.status).toBe(200);
  expect(dry.body).not.toHaveProperty("id");
  const estimate = { reels: 4, duplicates: 1, notReels: 1, shareLinks: 0, cached: 1, fresh: 3, fit: 3 };
  expect(dry.body.estimate).toMatchObject({ ...estimate, usage: { used: 1, limit: 250 } });
  expect((await rest(service.url, "/batches", { key: caller.key })).body.batches).toEqual([]);

  const answer = await send(caller, urls);
  expect(answer.status).toBe(202);
  expect(answer.headers.get("location")).toBe(`/api/v1/batches/${answer.body.id}`);
  expect(answer.body).toMatchObject({ status: "open", estimate });
  expect(answer.body.links.map(({ status }: { status: string }) => status)[0]).toBe("done");
  await until(caller, answer.body.id, { status: "finished" });
  const batch = await read(caller, answer.body.id);
  expect(batch.counts).toEqual({
    total: 5,
    waiting: 0,
    underWay: 0,
    done: 4,
    failed: 1,
    canceled: 0,
    retryable: 0,
    duplicates: 1,
  });
  expect(batch.links).toMatchObject([
    { url: cached, status: "done", cached: true, scriptId: expect.any(String) },
    ...fresh.map((url) => ({ url, reelUrl: url, status: "done", scriptId: expect.any(String) })),
    { status: "failed", error: { code: "invalidRequest", reason: "notAReel" } },
  ]);
  const usage = await rest(service.url, "/usage", { key: caller.key });
  expect(usage.body.transcriptions.used).toBe(4);
  expect((await rest(service.url, "/batches?status=finished", { key: caller.key })).body.batches).toMatchObject([
    { id: answer.body.id },
  ]);
  const other = await service.createCaller();
  expect((await rest(service.url, `/batches/${answer.body.id}`, { key: other.key })).status).toBe(404);
});

test("a batch of finished reels is finished at once, also in a dry run", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const urls = newReels(3);
  for (const url of urls) await rest(service.url, "/transcribe", { key: caller.key, body: { url } });
  for (const list of [urls, [urls[0]!, "https://example.com/not-a-reel"], ["nothing like a link"]]) {
    const dry = await send(caller, list, "?dryRun=true");
    expect(dry.body).toMatchObject({ status: "finished", finishedAt: expect.any(String), counts: { waiting: 0 } });
    const answer = await send(caller, list);
    expect(answer.body).toMatchObject({ status: "finished", finishedAt: expect.any(String) });
    expect(answer.body.counts, "the dry run said so").toEqual(dry.body.counts);
    expect(answer.headers.get("retry-after")).toBeNull();
  }
  expect((await send(caller, [...urls, service.newReel()], "?dryRun=true")).body.status).toBe("open");
});

test("a batch is a table too", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const url = service.newReel();
  await rest(service.url, "/transcribe", { key: caller.key, body: { url } });
  const { body } = await send(caller, [url, '=HYPERLINK("https://example.com")']);
  const file = await rest(service.url, `/batches/${body.id}?format=csv`, { key: caller.key });
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${body.id}.csv"`);
  const [head, first, second] = file.body.split("\r\n");
  expect(head).toContain(
    "url,reel_url,status,cached,script_id,transcription_id,error_code,error_reason,error_message,hook",
  );
  expect(first).toMatch(new RegExp(`^${url},${url},done,true,scr_\\w+,,,,,The same sentence for every reel\\.,,$`));
  expect(second).toMatch(/^"'=HYPERLINK\(""https:\/\/example\.com""\)",,failed,,,,invalidRequest,notAReel,/);
});

test("following is free, and every answer says when to ask again", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  gate.close();
  const { body, headers } = await send(caller, newReels(3));
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(body.secondsLeft).toBeGreaterThan(0);
  const remainingOf = async () =>
    (await rest(service.url, "/me", { key: caller.key })).body.rateLimits.default.remaining as number;
  const before = await remainingOf();
  const [{ transcriptionId }] = body.links as [{ transcriptionId: string }];
  for (const path of [`/batches/${body.id}`, `/transcriptions/${transcriptionId}`, `/batches/bat_${"0".repeat(16)}`])
    for (let polls = 0; polls < 30; polls += 1) {
      const poll = await rest(service.url, path, { key: caller.key });
      if (poll.status === 404) continue;
      expect(poll.body.secondsLeft, path).toBeGreaterThan(0);
      expect(Number(poll.headers.get("retry-after")), path).toBeGreaterThan(0);
    }
  expect(await remainingOf(), "only this look at what is left").toBe(before - 1);
  gate.open();
  await until(caller, body.id, { status: "finished" });
  const last = await rest(service.url, `/batches/${body.id}`, { key: caller.key });
  expect([last.headers.get("retry-after"), last.body.secondsLeft]).toEqual([null, undefined]);
});

test("a batch can be followed by a stream of events", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  gate.close();
  const { body } = await send(caller, newReels(2));
  const stream = await rest(service.url, `/batches/${body.id}`, {
    key: caller.key,
    headers: { accept: "text/event-stream", "last-event-id": "finished" },
  });
  expect(stream.status).toBe(204);
  const response = await fetch(`${service.url}/api/v1/batches/${body.id}`, {
    headers: { authorization: `Bearer ${caller.key}`, accept: "text/event-stream" },
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  gate.open();
  await until(caller, body.id, { status: "finished" });
  const events = (await response.text()).match(/^event: \w+\ndata: .*$/gm) ?? [];
  expect(events.at(0)).toMatch(/^event: progress\ndata: \{"id":"bat_/);
  expect(events.at(-1)).toMatch(/^event: finished\ndata: .*"status":"finished"/);
  expect(events.filter((event) => event.startsWith("event: finished"))).toHaveLength(1);
});

test("links beyond the hour's limit wait for the next hour", async () => {
  const caller = await service.createCaller({ plan: "creator" });
  const { body } = await send(caller, newReels(perHour + 3));
  await until(caller, body.id, { counts: { done: perHour, waiting: 3 }, waitingFor: "rateLimit" });
  const { continuesAt } = await read(caller, body.id);
  expect(Date.parse(continuesAt)).toBeGreaterThan(service.clock.now().getTime());
  await until(caller, body.id, { status: "finished", counts: { done: perHour + 3 } }, hour / 10);
});

test("two batches at a quota's end charge exactly the rest", async () => {
  const caller = await service.createCaller();
  const second = await caller.createKey();
  const keys = [caller, { key: second.key }];
  const answers = await Promise.all(keys.flatMap((one) => [send(one, newReels(7)), send(one, newReels(7))]));
  const ids = answers.map(({ body }) => body.id as string);
  for (const [index, id] of ids.entries()) await until(keys[index < 2 ? 0 : 1]!, id, { status: "finished" }, hour / 10);
  const batches = await Promise.all(ids.map((id, index) => read(keys[index < 2 ? 0 : 1]!, id)));
  for (const of of [batches.slice(0, 2), batches.slice(2)]) {
    expect(of.reduce((sum, { counts }) => sum + counts.done, 0)).toBe(10);
    const failures = of.flatMap(({ links }) => links.filter(({ status }: { status: string }) => status === "failed"));
    expect(failures).toHaveLength(4);
    for (const { error } of failures)
      expect(error).toMatchObject({ code: "limitReached", reason: "transcriptionsUsed" });
  }
  for (const { key } of keys)
    expect((await rest(service.url, "/usage", { key })).body.transcriptions).toMatchObject({ used: 10 });
});

test("queued reels can be canceled; failed and canceled ones restart", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  gate.close();
  const deleted = service.standin.urlOf(
    service.standin.addReel({ availability: "deleted", bytes: Buffer.from("not looked at") }).code,
  );
  const { body } = await send(caller, [deleted, ...newReels(10)]);
  expect(body.counts).toMatchObject({ underWay: 8, waiting: 3 });
  await until(caller, body.id, { counts: { failed: 1 } });
  await expect
    .poll(async () => (await read(caller, body.id)).links.filter(isRunning).length, { interval: 100 })
    .toBe(2);
  const canceled = await rest(service.url, `/batches/${body.id}`, { key: caller.key, method: "DELETE" });
  expect(canceled.body.counts).toMatchObject({ canceled: 8, underWay: 2, waiting: 0 });
  gate.open();
  await until(caller, body.id, { status: "finished", counts: { done: 2, failed: 1, canceled: 8, retryable: 8 } });
  const retried = await rest(service.url, `/batches/${body.id}/retry`, { key: caller.key, body: {} });
  expect(retried.body).toMatchObject({ status: "open", counts: { waiting: 8, failed: 1 } });
  await until(caller, body.id, { status: "finished", counts: { done: 10, failed: 1 } });
});

test("a batch ends with the key that sent it", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const second = await caller.createKey();
  gate.close();
  const { body } = await send({ key: second.key }, newReels(10));
  await service.store.keys.revoke(second.keyId, service.clock.now());
  gate.open();
  await until(caller, body.id, { status: "finished", counts: { done: 8, failed: 2 } });
  const { links } = await read(caller, body.id);
  expect(links.at(-1)).toMatchObject({ status: "failed", error: { code: "unauthorized", reason: "keyUnknown" } });
});

test("share links are resolved, and reels already in the batch are skipped", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const { code } = service.standin.addReel({ bytes: Buffer.from("never decoded") });
  const { body } = await send(caller, [service.standin.urlOf(code), service.standin.urlOf(code, "share")]);
  expect(body.estimate).toMatchObject({ shareLinks: 1, fresh: 2 });
  await until(caller, body.id, { status: "finished", counts: { total: 1, done: 1, duplicates: 1 } });
});

test("an account has only so many open batches", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  gate.close();
  for (let count = 0; count < 10; count += 1) expect((await send(caller, newReels(1))).status).toBe(202);
  const refused = await send(caller, newReels(1));
  expect(refused).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
  expect((await send(caller, Array<string>(101).fill(service.newReel()))).status).toBe(400);
});

test("retries open no more batches than an account may have", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  gate.close();
  const ids: string[] = [];
  // The first eight reels fill the account's share of the queue, so the rest of its batches can be canceled as a whole.
  const first = await send(caller, newReels(8));
  for (let count = 0; count < 13; count += 1) {
    const { body } = await send(caller, newReels(1));
    await rest(service.url, `/batches/${body.id}`, { key: caller.key, method: "DELETE" });
    await until(caller, body.id, { status: "finished" });
    ids.push(body.id);
  }
  const retries = await Promise.all(
    ids.map((id) => rest(service.url, `/batches/${id}/retry`, { key: caller.key, body: {} })),
  );
  expect(retries.filter(({ status }) => status === 429)).toHaveLength(4);
  const open = await rest(service.url, "/batches?status=open", { key: caller.key });
  expect(open.body.batches).toHaveLength(10);
  expect(first.body.counts).toMatchObject({ underWay: 8 });
});

test("a retry without retryable links changes nothing, and sends no webhook", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const receiver = await receiverOfTest();
  await rest(service.url, "/webhooks", { key: caller.key, body: { url: receiver.url } });
  const { body } = await send(caller, newReels(1));
  await until(caller, body.id, { status: "finished" });
  for (let count = 0; count < 6; count += 1) {
    const retried = await rest(service.url, `/batches/${body.id}/retry`, { key: caller.key, body: {} });
    expect(retried.body).toMatchObject({ status: "finished" });
  }
  const finished = () => receiver.events.filter((event) => JSON.parse(event.body).type === "batch.finished").length;
  await expect
    .poll(() => {
      service.clock.advance(2_000);
      return finished();
    })
    .toBe(1);
});

test("webhooks report a batch's end in addition to its parts", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const receiver = await receiverOfTest();
  await rest(service.url, "/webhooks", { key: caller.key, body: { url: receiver.url } });
  const { body } = await send(caller, newReels(2));
  await until(caller, body.id, { status: "finished" });
  await expect
    .poll(() => {
      service.clock.advance(2_000);
      return receiver.events.map((event) => JSON.parse(event.body)).filter(({ type }) => type === "batch.finished");
    })
    .toMatchObject([{ data: { batchId: body.id, total: 2, done: 2, failed: 0, canceled: 0 } }]);
});

test("an agent sends five reels in one call, then gets their batch", async () => {
  const caller = await service.createCaller({ plan: "hobby" });
  const client = await connectMcp(service.url, "modern", caller.key);
  const urls = newReels(5);
  const call = async (given: readonly string[]) =>
    wordsOf(await client.callTool({ name: "transcribe_reel", arguments: { urls: given } }));
  gate.close();
  const first = await call(urls);
  expect(first).toMatch(
    /^Batch bat_\w{16}: 0 of 5 done\.\n5 under way, about \d+ (seconds|min) left\. The batch continues without you\.\nCall again with the same urls in \d\d seconds\.$/,
  );
  const id = /bat_\w{16}/.exec(first)![0];
  expect(await call(urls.toReversed())).toContain(id);
  gate.open();
  await until(caller, id, { status: "finished" });
  const last = await call(urls);
  expect(last).toMatch(
    /^Batch bat_\w{16}: 5 of 5 done\.\nRead them with list_my_scripts, up to 3 at a time, ids: (scr_\w{16}(, )?){5}$/,
  );
  const both = await client.callTool({ name: "transcribe_reel", arguments: { url: urls[0], urls } });
  expect(wordsOf(both)).toContain("give url or urls");
  await client.close();
});

test("checks take one batch of each account first, however many another has", async () => {
  const greedy = await service.createCaller({ plan: "hobby" });
  const small = await service.createCaller({ plan: "hobby" });
  gate.close();
  for (let count = 0; count < 5; count += 1) await send(greedy, newReels(1));
  await send(small, newReels(1));
  const tomorrow = new Date(service.clock.now().getTime() + 24 * hour);
  const due = await service.store.batches.due(1_000, tomorrow);
  const accounts = due
    .map(({ owner }) => owner.accountId)
    .filter((id) => [greedy, small].some((one) => one.accountId === id));
  expect(accounts.slice(0, 2).toSorted()).toEqual([greedy.accountId, small.accountId].toSorted());
  expect(accounts.slice(2)).toEqual(Array<string>(4).fill(greedy.accountId));
});
