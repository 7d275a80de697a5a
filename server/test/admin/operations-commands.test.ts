import path from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDiskObjects } from "../../src/adapters/objects/disk-objects.ts";
import { createS3Objects } from "../../src/adapters/objects/s3-objects.ts";
import { createStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import { readFromPrimary } from "../../src/adapters/database/engine/server/read-route.ts";
import type { EmbeddedEngine } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import type { Objects } from "../../src/ports.ts";
import {
  after,
  aReel,
  anAccount,
  anAllowance,
  ask,
  askSent,
  broken,
  mustClaim,
  mustStart,
  start,
  transcribe,
} from "../database/conformance/fixtures.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { openTestEngine } from "../harness/test-stores.ts";
import { recognizer } from "./recognizer.ts";
import { operate } from "./run-program.ts";

const data = directoryOfTests();
const credentials = { region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
let engine: EmbeddedEngine;
let store: OpenedStore;
/** The disk or an object storage, which speaks S3 over HTTP. */
let pictureStore: Objects;
const objects: Objects = {
  put: (name, bytes, type) => pictureStore.put(name, bytes, type),
  get: (name) => pictureStore.get(name),
  remove: (name) => pictureStore.remove(name),
};
let inObjectStorage: Objects;
let server: S3rver;
let socket: { close(): Promise<void> };
let now = start;

beforeAll(async () => {
  engine = await openTestEngine();
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: path.join(data, "s3"),
    configureBuckets: [{ name: "pictures", configs: [] }],
  });
  const { port } = await server.run();
  inObjectStorage = createS3Objects({ endpoint: `http://127.0.0.1:${port}`, bucket: "pictures", ...credentials });
  store = createStore(engine, readFromPrimary(engine.pool), { newId: createNewId(), objects });
  const clock = { now: () => now };
  socket = await startAdminSocket({ path: adminSocketPath(data), store, clock, recognizer });
});
afterAll(async () => {
  await socket.close();
  await store.close();
  await server.close();
});

const run = (...args: string[]) => operate(args, { directory: data, environment: { DATA_DIR: data } });
async function answerOf(...args: string[]) {
  const { stdout, stderr, code } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}
const refusalOf = async (...args: string[]): Promise<string> => {
  const { stdout, stderr, code } = await run(...args);
  expect([code, stdout]).toEqual([1, ""]);
  return stderr;
};

describe("accounts", () => {
  test("are listed in pages, each of which says where the next begins", async () => {
    const accountIds: string[] = [];
    for (let index = 0; index < 5; index += 1) accountIds.push((await anAccount(store, after(-index))).id);
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const from: string[] = next === null ? [] : ["--after", next];
      const page = await answerOf("account", "list", "--limit", "2", ...from);
      const accounts = page["accounts"] as { id: string }[];
      expect(accounts.length).toBeLessThanOrEqual(2);
      seen.push(...accounts.map(({ id }) => id));
      next = page["next"] as string | null;
    } while (next !== null);
    expect(seen).toEqual(accountIds);
    expect((await run("account", "list", "--limit", "1")).lastLine).toBe(
      `There are more: account list --after ${accountIds[0]}`,
    );
    expect(await refusalOf("account", "list", "--after", "acc_nobody")).toMatch(/no account has the id acc_nobody/);
  });

  test("change their plan mid-month, and keep their usage", async () => {
    const why = ["--reason", "partner", "--by", "ada"];
    const { id } = await anAccount(store);
    await mustStart(store, id);
    expect(await answerOf("account", "usage", id)).toMatchObject({
      plan: "free",
      resetsAt: null,
      slots: [{ slot: 0 }, { slot: 1, used: 0, held: 1 }],
    });
    now = after(86_400);
    expect(await answerOf("account", "plan", id, "--plan", "hobby", ...why)).toMatchObject({ id, plan: "hobby" });
    const { periodAnchor } = (await store.accounts.find(id))!;
    expect(periodAnchor).toEqual(now);
    now = after(2 * 86_400);
    await answerOf("account", "plan", id, "--plan", "creator", ...why);
    expect((await store.accounts.find(id))!).toMatchObject({ plan: "creator", periodAnchor });
    const text = await run("account", "usage", id);
    expect(text.stdout).toMatch(/Plan +creator\n.*reels analyzed\nResets +2026-04-02 12:00 UTC\n\nSLOT .*\n0 /);
    await answerOf("account", "plan", id, "--plan", "free", ...why);
    expect((await store.accounts.find(id))!).toMatchObject({ plan: "free", periodAnchor: null });
    await engine.pool.query("update account set subscription_id = 'sub_1' where id = $1", [id]);
    expect(await refusalOf("account", "plan", id, "--plan", "hobby", ...why)).toMatch(
      /pays for its plan by a subscription/,
    );
    expect(await refusalOf("account", "plan", "acc_x", "--plan", "hobby", ...why)).toMatch(
      /no account has the id acc_x/,
    );
    expect((await run("account", "plan", id, "--plan", "gold", ...why)).code).toBe(2);
    expect((await run("account", "plan", id, "--plan", "hobby")).code, "every change says why").toBe(2);
    // An action of a release to come is shown, too.
    await engine.pool.query("alter table audit drop constraint audit_action_check");
    await engine.pool.query(
      "insert into audit (at, actor, action, subject, reason) values ($1, 'bo', 'freezeAccount', $2, 'x')",
      [after(3 * 86_400), id],
    );
    const entry = { by: "ada", action: "changePlan", reason: "partner" };
    expect(await answerOf("audit", "list")).toMatchObject({
      entries: [
        { by: "bo", action: "freezeAccount", subject: id },
        { ...entry, subject: `${id} to free`, at: now.toISOString() },
        { ...entry, subject: `${id} to creator`, at: now.toISOString() },
        { ...entry, subject: `${id} to hobby`, at: after(86_400).toISOString() },
      ],
    });
  });
});

describe("the queue", () => {
  test("is listed, and a queued one can be canceled, returning its unit", async () => {
    const { id: accountId } = await anAccount(store);
    const first = await mustStart(store, accountId);
    const second = await mustStart(store, accountId);
    expect(await answerOf("queue", "list", "--account", accountId)).toMatchObject({
      drainedSince: null,
      transcriptions: [
        { id: first, state: "queued", accountId, attempt: 0, failure: null },
        { id: second, state: "queued" },
      ],
    });
    await answerOf("queue", "cancel", first);
    expect(await store.transcriptions.find(first)).toMatchObject({ state: "failed", failure: { code: "unavailable" } });
    expect(await store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 1 });
    expect(await refusalOf("queue", "cancel", first)).toMatch(/waits or runs/);
    expect((await run("queue", "list", "--account", accountId, "--failed")).stdout).toMatch(
      new RegExp(`^${first}  unavailable  0 `, "m"),
    );
    await answerOf("queue", "cancel", second);
  });

  test("gives workers nothing while it is drained, and takes reels", async () => {
    const { id: accountId } = await anAccount(store);
    for (const { id } of await store.operatorQueue.list({ state: "open", accountId: null, after: null, limit: 100 }))
      await answerOf("queue", "cancel", id);
    await mustStart(store, accountId);
    const running = await mustClaim(store, now);
    expect(await answerOf("queue", "drain")).toEqual({ isNew: true, running: 1 });
    const waiting = await mustStart(store, accountId);
    expect(await store.transcriptions.claim("worker", 30, now)).toBeUndefined();
    expect(await store.transcriptions.extend(running, 0.5, 30, now), "what is in hand is finished").toBe(true);
    expect((await run("queue", "list")).stdout).toMatch(/^2 in the queue\. Workers claim nothing since 2026-/);
    expect(await answerOf("queue", "drain")).toEqual({ isNew: false, running: 1 });
    await answerOf("queue", "resume");
    expect((await mustClaim(store, now)).transcriptionId).toBe(waiting);
    expect(await refusalOf("queue", "resume")).toMatch(/wasn't drained/);
    for (const id of [waiting, running.transcriptionId]) await answerOf("queue", "cancel", id);
  });

  test("hurries what waits for an outage, and starts again what failed", async () => {
    const { id: accountId } = await anAccount(store);
    const waiting = await mustStart(store, accountId);
    const claim = await mustClaim(store, now);
    const until = new Date(now.getTime() + 60_000);
    await store.transcriptions.postpone(claim, { until, since: now, waitingFor: "platform", isShared: false });
    expect(await store.transcriptions.claim("worker", 30, now)).toBeUndefined();
    expect(await answerOf("queue", "retry", waiting)).toEqual({ id: waiting, started: false });
    const again = await mustClaim(store, now);
    expect(again.transcriptionId).toBe(waiting);

    const model = "2 whisper-base";
    await store.transcriptions.fail(again, broken, { now, refuse: { model, until } });
    const { lastLine } = await run("queue", "retry", waiting);
    expect(lastLine).toMatch(/^trn_/);
    expect(lastLine).not.toBe(waiting);
    expect(await store.transcriptions.find(lastLine)).toMatchObject({ state: "queued" });
    expect(await store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 1 });
    expect(await refusalOf("queue", "retry", waiting)).toMatch(/is being transcribed already/);
    await answerOf("queue", "cancel", lastLine);
    expect(await refusalOf("queue", "retry", "trn_nothing")).toMatch(/waits or failed/);
  });

  test("doesn't restart sent media, or reels without a unit", async () => {
    const { id: accountId } = await anAccount(store);
    await askSent(store, aReel(), anAllowance(accountId), { now });
    const claim = await mustClaim(store, now);
    await store.transcriptions.fail(claim, broken, { now });
    expect(await refusalOf("queue", "retry", claim.transcriptionId)).toMatch(/must be sent again/);

    const poor = await anAccount(store);
    const failed = await mustStart(store, poor.id);
    await store.transcriptions.fail(await mustClaim(store, now), broken, { now });
    for (let used = 0; used < 10; used += 1) await ask(store, aReel(), anAllowance(poor.id), { now });
    expect(await refusalOf("queue", "retry", failed)).toMatch(
      /acc_\w+ has no transcriptions left\. See account usage\./,
    );
  });
});

describe.each([
  ["the disk", () => createDiskObjects(path.join(data, "objects"))],
  ["an object storage", () => inObjectStorage],
])("pictures and %s", (_name, open) => {
  const reel = aReel();
  beforeAll(async () => {
    pictureStore = open();
    for (const table of ["thumbnail", "bio_image", "removed_object"]) await engine.pool.query(`delete from ${table}`);
  });
  const numbersOf = (bytes: Uint8Array | undefined): number[] => [...(bytes ?? [])];
  const picture = { bytes: new Uint8Array([1, 2, 3]), width: 2, height: 1 };

  test("move to the storage and back, and are there all the time", async () => {
    const { id: accountId } = await anAccount(store);
    const ownStore = createStore(engine, readFromPrimary(engine.pool), { newId: createNewId() });
    await ownStore.thumbnails.keep(reel, picture, now);
    const bytes = (value: number) => new Uint8Array([value]);
    const files = { "large.webp": bytes(1), "large.jpg": bytes(2), "small.webp": bytes(3), "small.jpg": bytes(4) };
    const image = (await ownStore.bioImages.keep(accountId, { width: 1, height: 1, files } as never, now))!;
    const areInStore = async () =>
      (
        await engine.pool.query(
          "select object is null as here from thumbnail union all select object is null from bio_image",
        )
      ).rows.map(({ here }: { here: boolean }) => here);
    expect(await areInStore()).toEqual([true, true]);

    expect(await answerOf("picture", "move", "--to", "storage")).toEqual({ moved: 2, missing: 0, left: 0 });
    expect(await areInStore()).toEqual([false, false]);
    expect(numbersOf((await store.thumbnails.read(reel))?.bytes)).toEqual([1, 2, 3]);
    expect(numbersOf(await store.bioImages.read(image, "small.jpg"))).toEqual([4]);

    expect(await answerOf("picture", "move", "--to", "database")).toEqual({ moved: 2, missing: 0, left: 0 });
    expect(await areInStore()).toEqual([true, true]);
    expect(numbersOf((await ownStore.thumbnails.read(reel))?.bytes)).toEqual([1, 2, 3]);
    expect(numbersOf(await ownStore.bioImages.read(image, "large.webp"))).toEqual([1]);
    const { rows } = await engine.pool.query("select count(*)::integer as objects from removed_object");
    expect(rows, "the objects are left to be removed").toEqual([{ objects: 5 }]);
  });

  test("stay where they are when the storage doesn't have them", async () => {
    await answerOf("picture", "move", "--to", "storage");
    const { rows } = await engine.pool.query<{ object: string }>("select object from thumbnail");
    await objects.remove(rows[0]!.object);
    expect(await answerOf("picture", "move", "--to", "database")).toEqual({ moved: 1, missing: 1, left: 1 });
  });

  test("stay in place while the storage is down, with a message", async () => {
    const storage = pictureStore;
    await store.thumbnails.keep(aReel(), picture, now);
    pictureStore = createS3Objects({ endpoint: "http://127.0.0.1:9", bucket: "pictures", ...credentials });
    const placesOf = async () => (await engine.pool.query("select object from thumbnail order by object")).rows;
    const before = await placesOf();
    for (const to of ["storage", "database"]) expect(await refusalOf("picture", "move", "--to", to)).toMatch(/storage/);
    expect(await placesOf()).toEqual(before);
    pictureStore = storage;
  });
});

test("transcripts are made compact with a receipt, once no older process runs", async () => {
  await engine.pool.query("delete from storage_form");
  const { id } = await anAccount(store);
  for (const text of ["alpha beta", "gamma"]) await transcribe(store, id, { text });
  await engine.pool.query("insert into machine_clock (name, server_ahead, seen_at) values ('older', 0, now())");
  expect(await refusalOf("database", "compact")).toMatch(/earlier releases refuse to start.*--no-way-back/);
  expect(await refusalOf("database", "compact", "--no-way-back")).toMatch(/earlier release.*run this again/);
  await engine.pool.query("delete from machine_clock");
  const { rows } = await engine.pool.query<{ last: number }>("select max(id) as last from transcript");
  expect(await answerOf("database", "compact", "--no-way-back")).toEqual({
    transcripts: expect.any(Number),
    bytesBefore: expect.any(Number),
    bytesAfter: expect.any(Number),
    place: rows[0]!.last,
    last: rows[0]!.last,
    isDone: true,
  });
  const { stdout } = await run("database", "compact", "--no-way-back");
  expect(stdout).toMatch(
    /^\d+ transcripts rewritten: \d+ bytes in place of \d+\.\nAll are compact\. Earlier releases can no longer/,
  );
  expect((await engine.pool.query("select from transcript where times is null")).rowCount).toBe(0);
});
