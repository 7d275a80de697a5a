import { randomBytes } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDiskObjects } from "../../src/adapters/objects/disk-objects.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import type { Objects } from "../../src/ports.ts";
import { ObjectsAway } from "../../src/ports/objects.ts";
import { SentMediaAway } from "../../src/ports/sent-media.ts";
import { anAccount, anAllowance, aReel, mustClaim, requestOf, start, after } from "../database/conformance/fixtures.ts";
import { createTestStore, openTestEngine } from "../harness/test-stores.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { lookAfter } from "../harness/look-after.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const directory = directoryOfTests();
let isAway = false;
const disk = createDiskObjects(path.join(directory, "objects"));
const unlessAway =
  <Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Promise<Result>) =>
  async (...parameters: Parameters): Promise<Result> => {
    if (isAway) throw new ObjectsAway("away");
    return work(...parameters);
  };
const objects = { put: unlessAway(disk.put), get: unlessAway(disk.get), remove: unlessAway(disk.remove) };
const service = serviceOfTests({ transcriber: null, objects });

const files = async (): Promise<string[]> =>
  (await readdir(path.join(directory, "objects"), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));

async function thumbnailOf(code: string): Promise<string> {
  const { key } = await service.createCaller();
  const { body } = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(service.standin.urlOf(code))}`, {
    key,
  });
  return body.thumbnail.url;
}

const codes = () => service.standin.reels.filter(({ kind }) => kind === "speech").map(({ code }) => code);

test("a thumbnail is 503 while the object storage is down, then returns", async () => {
  const url = await thumbnailOf(codes()[0]!);
  expect(await files()).toHaveLength(1);
  const picture = await fetch(url);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
  isAway = true;
  const refused = await fetch(url);
  isAway = false;
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("cache-control")]).toEqual([
    503,
    "60",
    "no-store",
  ]);
  const again = await fetch(url);
  expect([again.status, again.headers.get("etag")]).toEqual([200, picture.headers.get("etag")]);
});

test("one stored while the object storage is down goes to the database", async () => {
  const before = await files();
  isAway = true;
  const url = await thumbnailOf(codes()[1]!);
  expect((await fetch(url)).status).toBe(200);
  isAway = false;
  expect((await fetch(url)).status).toBe(200);
  expect(await files()).toEqual(before);
});

test.each([
  ["is gone", (file: string) => rm(file)],
  ["is not what was stored", (file: string) => writeFile(file, "something else")],
])("an object that %s is never served, and the picture is fetched again", async (_name, spoil) => {
  const code = codes()[_name === "is gone" ? 2 : 3]!;
  const before = await files();
  const url = await thumbnailOf(code);
  const [file] = (await files()).filter((one) => !before.includes(one));
  await spoil(file!);
  expect((await fetch(url)).status).toBe(404);
  expect(service.standin.counters.of("thumbnail", code)).toBe(1);
  expect(await thumbnailOf(code)).toBe(url);
  expect(service.standin.counters.of("thumbnail", code)).toBe(2);
  expect((await fetch(url)).status).toBe(200);
  await lookAfter(service.store);
  expect(
    (await files()).filter((one) => !before.includes(one)),
    "what was spoiled is removed",
  ).toHaveLength(1);
});

test("without object storage its pictures are refetched, and old ones still served", async () => {
  const data = path.join(directory, "data");
  const open = (objects?: Objects) => openStore({ dataDirectory: data, newId: createNewId(), objects });
  const [reel, other] = ["1", "2"].map((mediaId) => ({ platform: "instagram", mediaId }));
  const picture = { bytes: new Uint8Array(randomBytes(1_000)), width: 3, height: 4 };
  const size = { width: 3, height: 4 };
  const now = new Date();

  let store = await open();
  await store.thumbnails.keep(reel!, picture, now);
  await store.close();
  store = await open(disk);
  expect((await store.thumbnails.read(reel!))?.bytes).toHaveLength(1_000);
  expect(await store.thumbnails.keep(other!, picture, now)).toEqual(size);
  await store.close();
  store = await open();
  expect(await store.thumbnails.find(other!)).toBeUndefined();
  expect(await store.thumbnails.read(other!)).toBeUndefined();
  expect(await store.thumbnails.keep(other!, { ...picture, width: 5 }, now)).toEqual({ ...size, width: 5 });
  expect((await store.thumbnails.read(other!))?.bytes).toHaveLength(1_000);
  await store.close();
});

test("media in a storage that isn't configured any more are away", async () => {
  const engine = await openTestEngine();
  const store = createTestStore(engine, { objects: disk });
  const without = createTestStore(engine);
  onTestFinished(() => store.close());
  const { id: accountId } = await anAccount(store);
  const most = { mostBytesOfAccount: 100, mostBytes: 100, mostBytesPerHour: 100, leastFreeBytes: 0 };
  const begun = await store.sentMedia.begin({ accountId, ...most, expiresAt: after(60), now: start });
  if (begun.kind !== "begun") throw new Error(begun.kind);
  await store.sentMedia.append(begun.mediaId, 0, Buffer.from("media"), after(60));
  await store.sentMedia.request(begun.mediaId, requestOf(aReel(), anAllowance(accountId)));
  const claim = await mustClaim(without);
  const read = without.sentMedia.readPart(claim.transcriptionId, 0);
  await expect(read).rejects.toThrow(SentMediaAway);
  await expect(read).rejects.toHaveProperty("cause.message", expect.stringContaining("OBJECT_STORAGE"));
  expect(
    await without.transcriptions.postpone(claim, {
      until: after(2),
      since: start,
      waitingFor: "storage",
      isShared: true,
    }),
  ).toBe(true);
  expect(await mustClaim(store, after(2))).toMatchObject({
    transcriptionId: claim.transcriptionId,
    away: { dependency: "storage", since: start },
  });
  expect(Buffer.from((await store.sentMedia.readPart(claim.transcriptionId, 0))!).toString()).toBe("media");
});
