import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { lookAfter } from "../harness/look-after.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { storageOfTests } from "../harness/storage-of-tests.ts";
import { aFileSender, aVideo, offsetOf, partBytes, patch } from "./file-sender.ts";

/** Refuses a request in the storage's place. */
let refuses: ((request: IncomingMessage) => boolean) | undefined;
const storage = storageOfTests((request, response) => {
  if (!refuses?.(request)) return false;
  request.resume();
  response.writeHead(503).end();
  return true;
});

const gate = createGatedTranscriber();
const service = serviceOfTests({
  transcriber: gate,
  objects: storage.objects,
  outageSeconds: 600,
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files"],
});
afterEach(() => {
  refuses = undefined;
  gate.open();
});

const gone = { code: "notFound", status: 404, message: "deleted" } as const;

async function objectsLeft(): Promise<number> {
  await lookAfter(service.store);
  return (await storage.list()).filter((name) => name.includes(".part")).length;
}

describe("files in an object storage", () => {
  test("are an object for each part until they are transcribed, and then nothing", async () => {
    const ana = await aFileSender(service);
    gate.close();
    const { id } = await ana.send(await aVideo(3.5 * partBytes, "s"));
    await expect.poll(() => gate.waiting).toBe(1);
    expect(await objectsLeft()).toBe(4);
    gate.open();
    expect((await ana.ended(id)).status).toBe("done");
    expect(await objectsLeft()).toBe(0);
  });

  test("continue after the storage was away, and leave nothing of what it refused", async () => {
    const ana = await aFileSender(service);
    const video = await aVideo(2.5 * partBytes, "t");
    const { body } = await ana.create(video.length, { keepDays: 3 });
    refuses = ({ method }) => method === "PUT";
    expect((await patch(body.uploadUrl, 0, video)).status).toBe(503);
    refuses = undefined;
    const offset = await offsetOf(body.uploadUrl);
    expect((await patch(body.uploadUrl, offset, video.subarray(offset))).status).toBe(204);
    expect((await ana.ended(body.id)).status).toBe("done");
    expect(await objectsLeft(), "it is kept").toBe(3);
    const keptParts: Uint8Array[] = [];
    for (let number = 0; number < 3; number += 1)
      keptParts.push((await service.store.files.readKeptPart(body.id, number))!);
    expect(Buffer.compare(Buffer.concat(keptParts), video)).toBe(0);
    await service.store.files.delete(
      ana.accountId,
      body.id,
      { code: "notFound", status: 404, message: "deleted" },
      service.clock.now(),
    );
    expect(await objectsLeft()).toBe(0);
  });

  test("don't count as whole until their last part is stored", async () => {
    const ana = await aFileSender(service);
    for (const parts of [0.5, 2, 2.5]) {
      const video = await aVideo(parts * partBytes, `${parts}`);
      const { body } = await ana.create(video.length, { keepDays: 3 });
      refuses = ({ method, url }) => method === "PUT" && url!.includes(`.${Math.ceil(parts) - 1}.`);
      expect((await patch(body.uploadUrl, 0, video)).status).toBe(503);
      const offset = await offsetOf(body.uploadUrl);
      expect(offset, "its last part is missing").toBe(Math.floor((video.length - 1) / partBytes) * partBytes);
      refuses = undefined;
      expect((await patch(body.uploadUrl, offset, video.subarray(offset))).status).toBe(204);
      expect((await ana.ended(body.id)).status).toBe("done");
      await service.store.files.delete(ana.accountId, body.id, gone, service.clock.now());
      expect(await objectsLeft()).toBe(0);
    }
  });

  test("are continued by the next request where a part is named whose object isn't there", async () => {
    const ana = await aFileSender(service);
    const video = await aVideo(1.5 * partBytes, "y");
    const { body } = await ana.create(video.length);
    const { files } = service.store;
    const writer = (await files.open(body.id, 0, service.clock.now()))!;
    const first = video.subarray(0, partBytes);
    refuses = ({ method }) => method === "PUT";
    await expect(files.append(writer, first, service.clock.now())).rejects.toMatchObject({ code: "unavailable" });
    refuses = undefined;
    expect(await files.append(writer, first, service.clock.now())).toBeUndefined();
    expect((await patch(body.uploadUrl, 0, video)).status).toBe(204);
    expect((await ana.ended(body.id)).status).toBe("done");
    expect(await objectsLeft()).toBe(0);
  });

  test("wait while a worker can't read them", async () => {
    const ana = await aFileSender(service);
    refuses = ({ method }) => method === "GET";
    const { id } = await ana.send(await aVideo(1.5 * partBytes, "u"));
    await expect
      .poll(async () => {
        const { transcriptionId } = await ana.get(id);
        const state = transcriptionId && (await service.store.transcriptions.find(transcriptionId));
        return state && "waitingFor" in state ? state.waitingFor : undefined;
      })
      .toBe("storage");
    refuses = undefined;
    service.clock.advance(60_000);
    expect((await ana.ended(id)).status).toBe("done");
    expect(await objectsLeft()).toBe(0);
  });

  test("of subtitled videos are read in ranges, and go with them, also those of an attempt that was lost", async () => {
    const ana = await aFileSender(service);
    const { id: fileId } = await ana.send(await aVideo(1.5 * partBytes, "w"), { keepDays: 3 });
    const { scriptId = "" } = await ana.ended(fileId);
    const { videos } = service.store;
    const now = service.clock.now();
    const begun = await videos.begin(
      { accountId: ana.accountId, fileId, scriptId, style: "oneLine", subtitles: "", seconds: 1, now },
      { mostOfAccount: 1, mostBytes: 1e9 },
    );
    const videoId = begun.kind === "begun" ? begun.video.id : expect.fail(begun.kind);
    const former = (await videos.claim("dies", 30, now))!;
    await videos.append(former, 0, Buffer.alloc(partBytes, "x"));
    expect(await objectsLeft()).toBe(3);
    const next = (await videos.claim("works", 30, new Date(now.getTime() + 31_000)))!;
    expect(await videos.append(former, 1, Buffer.from("late"))).toBe(false);
    expect(await objectsLeft(), "the file's alone").toBe(2);
    const bytes = Buffer.concat([Buffer.alloc(partBytes, "a"), Buffer.from("the end")]);
    await videos.append(next, 0, bytes.subarray(0, partBytes));
    await videos.append(next, 1, bytes.subarray(partBytes));
    await videos.complete(next, { size: bytes.length, lacksLetters: false, now });
    expect(await objectsLeft()).toBe(4);
    const url = `${service.url}/api/v1/videos/${videoId}/media`;
    const load = (headers = {}) => fetch(url, { headers: { authorization: `Bearer ${ana.key}`, ...headers } });
    expect(Buffer.from(await (await load()).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await (await load({ range: `bytes=${partBytes - 2}-${partBytes + 2}` })).text()).toBe("aathe");
    refuses = ({ method }) => method === "GET";
    expect((await load().catch(() => undefined))?.ok ?? false, "half a video is none").toBe(false);
    refuses = undefined;
    const failure = { code: "notFound", status: 404, message: "deleted" } as const;
    await videos.delete(ana.accountId, videoId, failure, now);
    expect(await objectsLeft()).toBe(2);
    await service.store.accounts.remove(ana.accountId, now);
    expect(await objectsLeft()).toBe(0);
  });

  test("of a deleted account are removed", async () => {
    const ana = await aFileSender(service);
    const { body } = await ana.create(4 * partBytes);
    await patch(body.uploadUrl, 0, (await aVideo(4 * partBytes, "v")).subarray(0, 2.5 * partBytes));
    expect(await objectsLeft()).toBe(2);
    await service.store.accounts.remove(ana.accountId, service.clock.now());
    expect(await objectsLeft()).toBe(0);
  });
});
