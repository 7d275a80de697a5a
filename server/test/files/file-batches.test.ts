import { type Batch, type BatchLink, fileLimits } from "@reelscript/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { rest } from "../harness/rest.ts";
import { receiverOfTest } from "../harness/start-receiver.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { aFileSender as senderTo, aVideo, type FileSender, patch } from "./file-sender.ts";

const gate = createGatedTranscriber();
/** Files are measured once this is fulfilled; then they hold no more units than they need. */
let mayMeasure = Promise.resolve();
Object.assign(gate, {
  measure: async () => {
    await mayMeasure;
    return { seconds: 3, isLonger: false };
  },
});

const databases: readonly (readonly [name: string, url: string | undefined])[] = [
  ["the embedded database", undefined],
  ...(testDatabaseUrl === undefined ? [] : [["a PostgreSQL server", testDatabaseUrl] as const]),
];

describe.each(databases)("batches of files, on %s", (_name, serverUrl) => {
  let service: TestService;
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const database = serverUrl === undefined ? undefined : await migratedDatabase(serverUrl);
    if (database !== undefined) ({ drop } = database);
    service = await startTestService({
      ...(database && { databaseUrl: database.databaseUrl }),
      transcriber: gate,
      rateLimits: { transcribe: 1_000, address: 100_000 },
      repeated: ["transcribe-files", "advance-batches", "locate-share-links", "deliver-webhooks"],
    });
  });
  afterEach(() => gate.open());
  afterAll(async () => {
    await service.close();
    await drop();
  });

  let marks = 0;
  /** Different bytes each time. */
  const newVideo = () => aVideo(20_000, String.fromCodePoint(0x4e_00 + (marks += 1)));

  async function aPerson(plan?: "free" | "hobby") {
    const sender = await senderTo(service, plan);
    const { key } = sender;
    return {
      ...sender,
      batch: (files: readonly string[], urls?: readonly string[], query = "") =>
        rest(service.url, `/transcriptions${query}`, { key, body: { files, ...(urls && { urls }) } }),
      read: async (id: string): Promise<Batch> => (await rest(service.url, `/batches/${id}`, { key })).body,
    };
  }
  type Person = Awaited<ReturnType<typeof aPerson>>;

  /** Uploads of which nothing is sent yet. */
  async function open(sender: FileSender, count: number, input?: Readonly<Record<string, unknown>>) {
    const uploads: { readonly id: string; readonly url: string; readonly video: Buffer }[] = [];
    for (let number = 1; number <= count; number += 1) {
      const video = await newVideo();
      const { status, body } = await sender.create(video.length, { title: `Take ${number}`, ...input });
      expect(status, JSON.stringify(body)).toBe(200);
      uploads.push({ id: body.id, url: body.uploadUrl, video });
    }
    return uploads;
  }
  const arrive = async (uploads: Awaited<ReturnType<typeof open>>): Promise<void> => {
    for (const { url, video } of uploads) expect((await patch(url, 0, video)).status).toBe(204);
  };
  const idsOf = (uploads: Awaited<ReturnType<typeof open>>): string[] => uploads.map(({ id }) => id);
  const statesOf = ({ links }: { readonly links: readonly BatchLink[] }): string[] => links.map(({ status }) => status);

  /** Moves the clock, by which periodic work runs. */
  async function until(person: Person, id: string, expected: object): Promise<void> {
    await expect
      .poll(
        async () => {
          service.clock.advance(2_000);
          return person.read(id);
        },
        { interval: 100, timeout: 30_000 },
      )
      .toMatchObject(expected);
  }

  test("say what they cost before the first byte, and are one thing to follow", async () => {
    const ana = await aPerson();
    const receiver = await receiverOfTest();
    await rest(service.url, "/webhooks", { key: ana.key, body: { url: receiver.url } });
    const uploads = await open(ana, 3, { seconds: 1_000 });
    const reel = service.newReel();
    const ids = idsOf(uploads);
    const dry = await ana.batch([...ids, ids[0]!], [reel], "?dryRun=true");
    const estimate = {
      reels: 4,
      duplicates: 1,
      notReels: 0,
      shareLinks: 0,
      cached: 0,
      fresh: 4,
      fit: 4,
      mostTranscriptions: 7,
      usage: { used: 0, limit: 250 },
    };
    expect(dry.body).toMatchObject({ status: "open", counts: { total: 4, waiting: 4 }, estimate });
    expect(dry.body).not.toHaveProperty("id");
    expect((await rest(service.url, "/batches", { key: ana.key })).body.batches).toEqual([]);

    const answer = await ana.batch(ids, [reel]);
    expect([answer.status, answer.headers.get("location")]).toEqual([202, `/api/v1/batches/${answer.body.id}`]);
    expect(answer.body).toMatchObject({ estimate: { ...estimate, duplicates: 0 } });
    expect(answer.body.secondsLeft, "nobody knows when they arrive").toBeUndefined();
    expect((await ana.batch(ids.toReversed(), [reel])).body.id, "the same files are the same batch").toBe(
      answer.body.id,
    );
    const events = await fetch(`${service.url}/api/v1/batches/${answer.body.id}`, {
      headers: { authorization: `Bearer ${ana.key}`, accept: "text/event-stream" },
    });
    await arrive(uploads);
    await until(ana, answer.body.id, { status: "finished" });
    const batch = await ana.read(answer.body.id);
    expect(batch.counts).toMatchObject({ total: 4, done: 4, failed: 0, canceled: 0, retryable: 0 });
    expect(batch.links.slice(1)).toMatchObject(
      ids.map((id, index) => ({
        url: id,
        fileId: id,
        title: `Take ${index + 1}`,
        status: "done",
        reelUrl: expect.stringMatching(/^urn:reelscript:file:/),
        transcriptionId: expect.any(String),
        scriptId: expect.any(String),
        hook: "The same sentence for every reel.",
      })),
    );
    expect(batch.links[1]).not.toHaveProperty("cached");
    expect(await events.text()).toMatch(/event: progress[^]*event: finished\ndata: .*"status":"finished"/);
    const file = await rest(service.url, `/batches/${answer.body.id}?format=csv`, { key: ana.key });
    const [head, , first] = file.body.split("\r\n");
    expect(head).toMatch(/,hook,file_id,title$/);
    expect(first).toMatch(new RegExp(`^${ids[0]},urn:[^,]+,done,,scr_.*,${ids[0]},Take 1$`));
    await expect
      .poll(() => receiver.events.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "batch.finished"))
      .toMatchObject([{ data: { batchId: answer.body.id, total: 4, done: 4, failed: 0, canceled: 0 } }]);
    expect(await ana.used()).toBe(4);

    const again = await ana.batch(ids);
    expect(again.body).toMatchObject({ status: "finished", estimate: { cached: 3, fresh: 0, mostTranscriptions: 0 } });
    expect(statesOf(again.body)).toEqual(["done", "done", "done"]);
  });

  test("have their scripts from the moment at which they are done", async () => {
    const ana = await aPerson();
    const uploads = await open(ana, 1);
    const { body } = await ana.batch(idsOf(uploads));
    await arrive(uploads);
    gate.open();
    let link: BatchLink | undefined;
    await expect
      .poll(async () => {
        [link] = (await ana.read(body.id)).links;
        return link?.status;
      })
      .toBe("done");
    expect(link).toMatchObject({ scriptId: expect.stringMatching(/^scr_/), hook: expect.any(String) });
  });

  test("take files of the account alone, and say which one it doesn't have", async () => {
    const ana = await aPerson();
    const ben = await aPerson();
    const [anas] = await open(ana, 1);
    const [bens] = await open(ben, 1);
    for (const query of ["", "?dryRun=true"])
      for (const id of [bens!.id, "fil_0000000000000000", "'; drop table file"]) {
        const refused = await ana.batch([anas!.id, id], [service.newReel()], query);
        expect([refused.status, refused.body.error.code], id).toEqual([404, "notFound"]);
        expect(refused.body.error.message).toBe(`You have no file with the id ${id}.`);
      }
    expect((await rest(service.url, "/batches", { key: ana.key })).body.batches).toEqual([]);
    const nothing = await rest(service.url, "/transcriptions", { key: ana.key, body: {} });
    expect([nothing.status, nothing.body.error.message]).toEqual([400, "Send `urls`, `files` or both."]);
    const many = await ana.batch(Array.from({ length: 21 }, () => anas!.id));
    expect([many.status, many.body.error.code]).toEqual([400, "invalidRequest"]);
  });

  test("don't wait longer than a day for an upload, which holds up nothing", async () => {
    const ana = await aPerson();
    const [missing, there] = await open(ana, 2);
    const { id } = (await ana.batch([missing!.id, there!.id])).body;
    await patch(missing!.url, 0, missing!.video.subarray(0, 100));
    await arrive([there!]);
    await until(ana, id, { status: "open", counts: { waiting: 1, done: 1 } });
    service.clock.advance(25 * hour);
    await runUpkeep(service.store, "forget-files", service.clock.now());
    await until(ana, id, { status: "finished", counts: { done: 1, canceled: 1, retryable: 0 } });
    const retried = await rest(service.url, `/batches/${id}/retry`, { key: ana.key, method: "POST" });
    expect(retried.body, "its bytes are gone").toMatchObject({ status: "finished", counts: { canceled: 1 } });
  });

  test("say for each file why it has no text", async () => {
    const ana = await aPerson();
    const notes = Buffer.from("just some notes ".repeat(2_000));
    const [good] = await open(ana, 1);
    const { body } = await ana.create(notes.length, { name: "notes.mp4" });
    const [same] = await open(ana, 1);
    const { id } = (await ana.batch([good!.id, body.id, same!.id])).body;
    await arrive([good!]);
    expect((await patch(body.uploadUrl, 0, notes)).status).toBe(422);
    await ana.ended(good!.id);
    const { body: copy } = await ana.create(good!.video.length);
    await patch(copy.uploadUrl, 0, good!.video);
    const second = (await ana.batch([copy.id, body.id])).body;
    await rest(service.url, `/files/${same!.id}`, { key: ana.key, method: "DELETE" });
    await until(ana, id, { status: "finished" });
    const batch = await ana.read(id);
    expect(statesOf(batch)).toEqual(["done", "failed", "canceled"]);
    expect(batch.links[1]?.error).toMatchObject({ code: "invalidRequest", reason: "notMedia" });
    expect(batch.counts).toMatchObject({ failed: 1, canceled: 1, retryable: 0 });
    await until(ana, second.id, { status: "finished" });
    expect((await ana.read(second.id)).links).toMatchObject([{ status: "done", cached: true }, { status: "failed" }]);
    expect(await ana.used()).toBe(1);
  });

  test("that are canceled delete the files that no worker has, uncharged; what runs is finished", async () => {
    const ana = await aPerson();
    gate.close();
    const uploads = await open(ana, 6);
    const [running, , , , shared, unsent] = uploads;
    const { id } = (await ana.batch(idsOf(uploads))).body;
    const other = (await ana.batch([shared!.id, running!.id])).body;
    await arrive(uploads.filter((upload) => upload !== unsent));
    await patch(unsent!.url, 0, unsent!.video.subarray(0, 100));
    await expect.poll(async () => statesOf(await ana.read(id)).filter((state) => state === "running").length).toBe(2);
    const canceled = await rest(service.url, `/batches/${id}`, { key: ana.key, method: "DELETE" });
    expect(statesOf(canceled.body)).toEqual(["running", "running", "canceled", "canceled", "canceled", "canceled"]);
    expect(await ana.get(uploads[2]!.id)).toMatchObject({ deletion: { bytes: uploads[2]!.video.length } });
    expect(await ana.get(unsent!.id)).toMatchObject({ status: "canceled", deletion: { bytes: 100 } });
    expect((await patch(unsent!.url, 100, unsent!.video.subarray(100))).status).toBe(404);
    gate.open();
    await until(ana, id, { status: "finished", counts: { done: 2, canceled: 4, retryable: 0 } });
    await until(ana, other.id, { status: "finished", counts: { done: 2 } });
    expect(await ana.used()).toBe(3);
  });

  test("have at most 20 files, of which four are in the queue at a time", async () => {
    const ana = await aPerson();
    gate.close();
    const uploads = await open(ana, 20);
    expect((await ana.create(1_000)).headers.get("x-error-reason")).toBe("tooManyFiles");
    const { id } = (await ana.batch(idsOf(uploads))).body;
    await Promise.all(uploads.map((upload) => arrive([upload])));
    await until(ana, id, { counts: { underWay: fileLimits.inQueue, waiting: 20 - fileLimits.inQueue } });
    const ben = await aPerson();
    const reel = await rest(service.url, "/transcribe", {
      key: ana.key,
      body: { url: service.newReel() },
      headers: { prefer: "respond-async" },
    });
    expect(reel.status, "a reel of the account finds room beside them").toBe(202);
    const [bens] = await open(ben, 1);
    await arrive([bens!]);
    gate.open();
    await until(ana, id, { status: "finished", counts: { done: 20 } });
    expect((await ben.ended(bens!.id)).status).toBe("done");
  });

  test("wait for units that other files hold, and fail when all are used", async () => {
    const ana = await aPerson("free");
    let measure = (): void => undefined;
    mayMeasure = new Promise((resolve) => (measure = resolve));
    const uploads = await open(ana, 4);
    const batch = (await ana.batch(idsOf(uploads))).body;
    expect(batch.estimate, "each may use four of ten").toMatchObject({ fresh: 4, fit: 2, mostTranscriptions: 16 });
    await arrive(uploads);
    await until(ana, batch.id, { counts: { waiting: 1, underWay: 3 } });
    measure();
    await until(ana, batch.id, { status: "finished", counts: { done: 4 } });
    expect(await ana.used()).toBe(4);
    await arrive(await open(ana, 6));
    await expect
      .poll(async () => {
        service.clock.advance(2_000);
        return ana.used();
      })
      .toBe(10);
    expect((await ana.create(1_000)).headers.get("x-error-reason")).toBe("transcriptionsUsed");
  });
});
