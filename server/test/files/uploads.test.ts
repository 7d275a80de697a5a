import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import net from "node:net";
import { Upload } from "tus-js-client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { type Answer, rest } from "../harness/rest.ts";
import { signInNew } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { aFileSender as senderTo, askUpload, aVideo, offsetOf, partBytes, patch } from "./file-sender.ts";

const gate = createGatedTranscriber();
const megabyte = 1_000_000;

const databases: readonly (readonly [name: string, url: string | undefined])[] = [
  ["the embedded database", undefined],
  ...(testDatabaseUrl === undefined ? [] : [["a PostgreSQL server", testDatabaseUrl] as const]),
];

describe.each(databases)("files of an account's own, on %s", (_name, serverUrl) => {
  let service: TestService;
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const database = serverUrl === undefined ? undefined : await migratedDatabase(serverUrl);
    if (database !== undefined) ({ drop } = database);
    service = await startTestService({
      ...(database && { databaseUrl: database.databaseUrl }),
      transcriber: gate,
      maxFileBytes: 10 * megabyte,
      sentBytesPerHour: 40 * megabyte,
      rateLimits: { transcribe: 1_000, address: 100_000 },
      repeated: ["transcribe-files"],
    });
  });
  afterEach(() => gate.open());
  afterAll(async () => {
    await service.close();
    await drop();
  });

  const aFileSender = (plan?: "free" | "hobby") => senderTo(service, plan);
  const uploadsAt = (url: string, from: number, body: Buffer) => patch(url, from, body.subarray(from));

  test("say what they cost, arrive in several requests, and become a private script", async () => {
    const ana = await aFileSender();
    const video = await aVideo(3.5 * partBytes, "b");
    const created = await ana.create(video.length, { title: "The draft", seconds: 60 });
    expect(created.body).toMatchObject({ status: "receiving", mostTranscriptions: 1, keepDays: 0, title: "The draft" });
    const { id, uploadUrl } = created.body;
    expect(await offsetOf(uploadUrl)).toBe(0);
    const ends = [100, partBytes + 5, partBytes + 6, 2 * partBytes, video.length];
    let from = 0;
    for (const end of ends) {
      const response = await patch(uploadUrl, from, video.subarray(from, end));
      expect([response.status, response.headers.get("upload-offset")]).toEqual([204, String(end)]);
      if (end < video.length) expect(await offsetOf(uploadUrl)).toBe(end);
      from = end;
    }
    const done = await ana.ended(id);
    expect(done).toMatchObject({ status: "done", receivedBytes: video.length, deletion: { bytes: video.length } });
    const { body: script } = await rest(service.url, `/scripts/${done.scriptId}`, { key: ana.key });
    expect(script).toMatchObject({ platform: "file", caption: "The draft", reelUrl: expect.stringMatching(/^urn:/) });
    expect(script).not.toHaveProperty("file");
    expect(script).not.toHaveProperty("account");
    const { body: transcription } = await rest(service.url, `/transcriptions/${done.transcriptionId}`, {
      key: ana.key,
    });
    expect(transcription).toMatchObject({ status: "done", scriptId: done.scriptId });
    expect(await ana.used()).toBe(1);
  });

  test("continue where a broken connection left them", async () => {
    const ana = await aFileSender();
    const video = await aVideo(3 * partBytes, "c");
    const { body } = await ana.create(video.length);
    const { hostname, port, pathname } = new URL(body.uploadUrl);
    const open = request({
      hostname,
      port,
      method: "PATCH",
      path: pathname,
      headers: {
        "tus-resumable": "1.0.0",
        "upload-offset": 0,
        "content-type": "application/offset+octet-stream",
        "content-length": video.length,
      },
    }).on("error", () => undefined);
    open.write(video.subarray(0, partBytes + 1_000));
    await expect.poll(async () => (await ana.get(body.id)).receivedBytes).toBe(partBytes);
    open.destroy();
    await expect.poll(() => offsetOf(body.uploadUrl)).toBe(partBytes + 1_000);
    expect((await patch(body.uploadUrl, 0, video)).status, "from the wrong byte").toBe(409);
    expect((await uploadsAt(body.uploadUrl, partBytes + 1_000, video)).status).toBe(204);
    expect((await ana.ended(body.id)).status).toBe("done");
  });

  test("are sent by the protocol's own client through a connection that is cut", async () => {
    const ana = await aFileSender();
    const video = await aVideo(5 * partBytes, "d");
    const { body } = await ana.create(video.length, { sha256: createHash("sha256").update(video).digest("hex") });
    const cuts = await startCuttingProxy(Number(new URL(service.url).port), 1.2 * partBytes, 3);
    const address = new URL(body.uploadUrl);
    address.port = String(cuts.port);
    await new Promise<void>((resolve, reject) => {
      new Upload(video, {
        uploadUrl: address.href,
        retryDelays: Array.from({ length: 20 }, () => 10),
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
    expect(cuts.count()).toBe(3);
    await cuts.close();
    expect((await ana.ended(body.id)).status).toBe("done");
  });

  test("with the same bytes are free in one account, and never seen by another", async () => {
    const ana = await aFileSender();
    const ben = await aFileSender();
    const video = await aVideo(1.5 * partBytes, "e");
    const first = await ana.ended((await ana.send(video)).id);
    gate.close();
    const again = await ana.ended((await ana.send(video, { title: "Once more" })).id);
    expect(again).toMatchObject({ status: "done", scriptId: first.scriptId, deletion: { bytes: video.length } });
    expect(again).not.toHaveProperty("transcriptionId");
    expect(await ana.used()).toBe(1);
    const other = await ben.send(video);
    await expect.poll(() => gate.waiting, { message: "it is transcribed for ben" }).toBe(1);
    gate.open();
    const bens = await ben.ended(other.id);
    expect(bens.scriptId).not.toBe(first.scriptId);
    expect(await ben.used()).toBe(1);
    expect((await rest(service.url, `/scripts/${first.scriptId}`, { key: ben.key })).status).toBe(404);
    expect((await rest(service.url, `/files/${first.id}`, { key: ben.key })).status).toBe(404);
    const { body: script } = await rest(service.url, `/scripts/${first.scriptId}`, { key: ana.key });
    for (const url of [script.reelUrl, `${service.url}/try?url=${encodeURIComponent(script.reelUrl)}`])
      expect((await rest(service.url, "/transcribe", { key: ben.key, body: { url } })).status).toBe(400);
  });

  test("are refused before their first byte when they pass a bound", async () => {
    const ana = await aFileSender();
    const refusalOf = ({ status, headers }: Answer) => [status, headers.get("x-error-reason")];
    expect(refusalOf(await ana.create(10 * megabyte + 1))).toEqual([413, "videoTooLarge"]);
    expect(refusalOf(await ana.create(10, { seconds: 3_601 }))).toEqual([422, "videoTooLong"]);
    const answers = await Promise.all(Array.from({ length: 23 }, () => ana.create(1_000)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 20 }, () => 200),
      ...Array.from({ length: 3 }, () => 429),
    ]);
    expect(refusalOf(answers.find(({ status }) => status === 429)!)).toEqual([429, "tooManyFiles"]);
    const [one] = answers.filter(({ status }) => status === 200);
    expect((await rest(service.url, `/files/${one?.body.id}`, { key: ana.key, method: "DELETE" })).body).toMatchObject({
      status: "canceled",
      deletion: { bytes: 0 },
    });
    expect((await ana.create(1_000)).status, "one has made room").toBe(200);
    const ben = await aFileSender("free");
    expect((await ben.create(1_000, { seconds: 900.4 })).body.mostTranscriptions).toBe(2);
    for (let left = 0; left < 3; left += 1) expect((await ben.create(10 * megabyte)).status).toBe(200);
    const cleo = await aFileSender();
    for (let count = 0; count < 4; count += 1) {
      const { body } = await cleo.create(10 * megabyte);
      await patch(body.uploadUrl, 0, (await aVideo(10 * megabyte, "f")).subarray(0, 9.9 * megabyte));
      await rest(service.url, `/files/${body.id}`, { key: cleo.key, method: "DELETE" });
    }
    expect(refusalOf(await cleo.create(megabyte)), "the hour's bytes are sent").toEqual([429, "tooManyRequests"]);
  });

  test("take no more than their bytes, and only what their checksum says", async () => {
    const ana = await aFileSender();
    const video = await aVideo(1.5 * partBytes, "g");
    const { body } = await ana.create(video.length);
    expect((await patch(body.uploadUrl, 0, Buffer.alloc(video.length + 1))).status).toBe(413);
    const half = video.subarray(0, partBytes + 10);
    const digest = (bytes: Buffer) => createHash("sha1").update(bytes).digest("base64");
    const wrong = await patch(body.uploadUrl, 0, half, { "upload-checksum": `sha1 ${digest(video)}` });
    expect(wrong.status).toBe(460);
    expect(await offsetOf(body.uploadUrl), "nothing of it stays").toBe(0);
    expect((await patch(body.uploadUrl, 0, half, { "upload-checksum": "crc32 AAAA" })).status).toBe(400);
    expect((await patch(body.uploadUrl, 0, half, { "upload-checksum": `sha1 ${digest(half)}` })).status).toBe(204);
    expect((await uploadsAt(body.uploadUrl, half.length, video)).status).toBe(204);
    expect((await ana.ended(body.id)).status).toBe("done");
    const options = await askUpload(body.uploadUrl, "OPTIONS");
    expect(options.headers.get("tus-extension")).toBe("checksum,expiration,termination");
    expect(options.headers.get("access-control-allow-origin")).toBe("*");
    expect((await askUpload(`${service.url}/uploads/${randomBytes(32).toString("hex")}`, "HEAD")).status).toBe(404);
  });

  test("that nobody finishes are deleted after a day, and nothing is left of them", async () => {
    const ana = await aFileSender();
    const { body } = await ana.create(5 * megabyte);
    await patch(body.uploadUrl, 0, (await aVideo(5 * megabyte, "h")).subarray(0, 2 * megabyte));
    service.clock.advance(25 * hour);
    expect((await askUpload(body.uploadUrl, "HEAD")).status).toBe(404);
    await runUpkeep(service.store, "forget-files", service.clock.now());
    expect(await ana.get(body.id)).toMatchObject({ status: "canceled", deletion: { bytes: 2 * megabyte } });
    expect(await partsOf(body.id)).toBe(0);
  });

  test("are kept for as many days as somebody chooses, play in ranges, and leave a receipt", async () => {
    const person = await signInNew(service);
    const video = await aVideo(2.5 * partBytes, "i");
    const { body } = await person.api("createFile", { name: "draft.mp4", bytes: video.length, keepDays: 7 });
    expect((await patch(body.uploadUrl, 0, video)).status).toBe(204);
    await expect.poll(async () => (await person.api("getFile", { id: body.id })).body.status).toBe("done");
    const { keptUntil, scriptId } = (await person.api("getFile", { id: body.id })).body;
    expect(new Date(keptUntil).getTime() - service.clock.now().getTime()).toBeGreaterThan(6.9 * 24 * hour);
    expect((await person.api("getScript", { id: scriptId })).body.file).toEqual({ id: body.id, keptUntil });
    const media = (range?: string) =>
      person.jar.fetch(`${service.url}/app/api/files/${body.id}/media`, {
        headers: range === undefined ? {} : { range },
      });
    const whole = await media();
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), video)).toBe(0);
    const piece = await media(`bytes=${partBytes - 3}-${partBytes + 3}`);
    expect([piece.status, piece.headers.get("content-range")]).toEqual([
      206,
      `bytes ${partBytes - 3}-${partBytes + 3}/${video.length}`,
    ]);
    expect(Buffer.from(await piece.arrayBuffer())).toEqual(video.subarray(partBytes - 3, partBytes + 4));
    const stranger = await signInNew(service);
    expect((await stranger.jar.fetch(`${service.url}/app/api/files/${body.id}/media`)).status).toBe(404);
    expect((await fetch(`${service.url}/app/api/files/${body.id}/media`)).status).toBe(401);
    expect((await person.api("deleteFile", { id: body.id })).body).toMatchObject({
      status: "done",
      deletion: { bytes: video.length },
    });
    expect((await media()).status).toBe(404);
    expect(await partsOf(body.id)).toBe(0);
    expect((await person.api("getScript", { id: scriptId })).status, "the script stays").toBe(200);
  });

  test("have a title that can be changed and found, and are in the export of the account", async () => {
    const person = await signInNew(service);
    const video = await aVideo(10_000, "j");
    const { body } = await person.api("createFile", { name: "Ürsprung.mp4", bytes: video.length, keepDays: 1 });
    expect(body.title).toBe("Ürsprung");
    await patch(body.uploadUrl, 0, video);
    await expect.poll(async () => (await person.api("getFile", { id: body.id })).body.status).toBe("done");
    const { scriptId } = (await person.api("getFile", { id: body.id })).body;
    expect((await person.api("renameScript", { id: scriptId, title: "Espresso manifesto" })).status).toBe(200);
    const foundScripts = (await person.api("searchMyScripts", { query: "manifesto" })).body;
    expect(foundScripts.scripts).toMatchObject([{ id: scriptId, caption: "Espresso manifesto", platform: "file" }]);
    expect((await person.api("searchMyScripts", { query: "Ürsprung" })).body.total).toBe(0);
    const csv = await person.jar.fetch(`${service.url}/app/api/scripts?format=csv`);
    expect(await csv.text()).toContain("Espresso manifesto");
    const exported = (await person.api("exportAccount")).body;
    expect(exported.files).toMatchObject([{ id: body.id, status: "done", bytes: video.length }]);
    expect((await person.api("deleteScript", { id: scriptId })).status).toBe(200);
    expect((await person.api("restoreScripts", { ids: [scriptId] })).body.ids).toEqual([scriptId]);
    await person.api("deleteScript", { id: scriptId });
    await person.api("eraseScripts", { ids: [scriptId] });
    await runUpkeep(service.store, "forget-files", service.clock.now());
    expect(await partsOf(body.id), "the file goes with its script").toBe(0);
  });

  test("of a deleted account are gone, those that arrive and those that are transcribed", async () => {
    const ana = await aFileSender();
    gate.close();
    const running = await ana.send(await aVideo(2 * partBytes, "k"), { keepDays: 30 });
    await expect.poll(() => gate.waiting).toBe(1);
    const { body } = await ana.create(5 * megabyte);
    await patch(body.uploadUrl, 0, (await aVideo(5 * megabyte, "l")).subarray(0, 2 * megabyte));
    expect(await service.store.accounts.remove(ana.accountId, service.clock.now())).toBe(true);
    expect((await askUpload(body.uploadUrl, "HEAD")).status).toBe(404);
    expect((await askUpload(running.url, "HEAD")).status).toBe(404);
    expect([await partsOf(running.id), await partsOf(body.id)]).toEqual([0, 0]);
  });

  test("use one transcription per started 15 minutes, and none when too few are left", async () => {
    const ana = await aFileSender("free");
    measured = 2_000;
    const first = await ana.ended((await ana.send(await aVideo(0, "m"))).id);
    expect(first).toMatchObject({ status: "done", mostTranscriptions: 4 });
    expect(await ana.used()).toBe(3);
    for (const mark of ["n", "o"]) await ana.ended((await ana.send(await aVideo(0, mark))).id);
    expect(await ana.used()).toBe(9);
    const last = await ana.ended((await ana.send(await aVideo(0, "p"))).id);
    expect(last).toMatchObject({ status: "failed", error: { code: "limitReached", reason: "transcriptionsUsed" } });
    expect(last.error?.message).toContain("needs 3 transcriptions");
    expect(await ana.create(1_000, { seconds: 901 })).toMatchObject({ status: 403 });
    measured = 3;
    const stated = await ana.ended((await ana.send(await aVideo(0, "q"), { seconds: 2.5 })).id);
    expect(stated.status).toBe("done");
    expect(await ana.used()).toBe(10);
  });

  test("that wait for a full queue begin by themselves, and can be canceled while they are transcribed", async () => {
    const ana = await aFileSender();
    gate.close();
    const { id } = await ana.send(await aVideo(0, "r"));
    await expect.poll(() => gate.waiting).toBe(1);
    expect((await rest(service.url, `/files/${id}`, { key: ana.key, method: "DELETE" })).body).toMatchObject({
      status: "failed",
      error: { code: "notFound" },
    });
    await expect.poll(() => gate.waiting, { message: "the worker notices" }).toBe(0);
    expect(await ana.used()).toBe(0);
  });

  async function partsOf(id: string): Promise<number> {
    let parts = 0;
    while ((await service.store.files.readKeptPart(id, parts)) !== undefined) parts += 1;
    return parts;
  }
});

/** The length of every file, in seconds. */
let measured = 3;
Object.assign(gate, { measure: async () => ({ seconds: measured, isLonger: false }) });

/** A way to a port that breaks off each of the first connections after so many bytes. */
async function startCuttingProxy(target: number, bytes: number, times: number) {
  let cuts = 0;
  const server = net.createServer((near) => {
    const far = net.connect(target, "127.0.0.1");
    let passed = 0;
    near.on("data", (chunk) => {
      passed += chunk.length;
      if (passed < bytes || cuts >= times) return;
      cuts += 1;
      near.resetAndDestroy();
      far.destroy();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => undefined).once("close", () => other.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    count: () => cuts,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
