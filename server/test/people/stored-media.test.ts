import type { IncomingMessage, ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Transcriber } from "../../src/ports.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { lookAfter } from "../harness/look-after.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { storageOfTests } from "../harness/storage-of-tests.ts";
import { aSender as senderTo } from "./media-sender.ts";

const outageSeconds = 600;

/** Answers in the storage's place; `undefined` leaves the request to the storage. */
let answer: ((request: IncomingMessage, response: ServerResponse) => true | undefined) | undefined;
let requests: string[] = [];
const storage = storageOfTests((request, response) => {
  requests.push(request.method ?? "");
  return answer?.(request, response) ?? false;
});

const gate = createGatedTranscriber();
let mediaFiles: Uint8Array[] = [];
const transcriber: Transcriber = {
  model: gate.model,
  revision: gate.revision,
  measure: (...call) => gate.measure(...call),
  async transcribe(file, options) {
    mediaFiles.push(await readFile(file));
    return gate.transcribe(file, options);
  },
};
const rateLimits = { default: 1_000, transcribe: 1_000, address: 10_000 };
const service = serviceOfTests({ transcriber, objects: storage.objects, outageSeconds, rateLimits });
afterEach(() => {
  answer = undefined;
  requests = [];
  mediaFiles = [];
  gate.open();
});

const aSender = () => senderTo(service);
/** Large enough for three parts, and different everywhere. */
const media = Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * index) % 251);
const refuse = (method: string, status: number) => (request: IncomingMessage, response: ServerResponse) => {
  if (request.method !== method) return undefined;
  request.resume();
  response.writeHead(status).end();
  return true as const;
};
async function objectsLeft(): Promise<number> {
  await lookAfter(service.store);
  return (await storage.list()).filter((name) => /^media.*\.part/.test(name)).length;
}

describe("media in an object storage", () => {
  test("reach the transcriber byte for byte, and are removed afterward", async () => {
    const ana = await aSender();
    gate.close();
    const result = await ana.send(service.newReel(), media);
    await expect.poll(() => mediaFiles.length).toBe(1);
    expect(Buffer.compare(mediaFiles[0]!, media)).toBe(0);
    expect(await objectsLeft(), "they are needed until the end").toBe(3);
    gate.open();
    expect(await ana.ended(result.id)).toMatchObject({ status: "done" });
    expect(await objectsLeft()).toBe(0);
  });

  test("are refused while it is away, and taken when it is back", async () => {
    const ana = await aSender();
    const reel = service.newReel();
    answer = refuse("PUT", 503);
    const refused = await ana.send(reel, media);
    expect(refused).toMatchObject({
      status: 503,
      answer: { error: { code: "unavailable", message: "We can't store media right now. Try again in a minute." } },
    });
    expect(requests, "each part is tried twice").toEqual(["PUT", "PUT"]);
    answer = undefined;
    expect(await ana.sendAndEnd(reel, media)).toMatchObject({ status: "done" });
    expect(await objectsLeft()).toBe(0);
  });

  test("survive one answer that says no", async () => {
    const ana = await aSender();
    answer = (request, response) => {
      answer = undefined;
      return refuse("PUT", 500)(request, response);
    };
    expect(await ana.sendAndEnd(service.newReel(), media)).toMatchObject({ status: "done" });
    expect(Buffer.compare(mediaFiles[0]!, media)).toBe(0);
  });

  test.each<[string, NonNullable<typeof answer>, RegExp?]>([
    ["is away", refuse("GET", 503)],
    [
      "returns other bytes",
      (request, response) => {
        if (request.method !== "GET") return undefined;
        response.writeHead(200).end("silence");
        return true;
      },
      /other bytes/,
    ],
    [
      "returns fewer bytes",
      (request, response) => {
        if (request.method !== "GET") return undefined;
        response.writeHead(200).end(media.subarray(0, 1_000));
        return true;
      },
      /other bytes/,
    ],
  ])("wait for a worker while it %s", async (_what, lie, fault) => {
    const ana = await aSender();
    answer = lie;
    const result = await ana.send(service.newReel(), media);
    await expect.poll(() => requests.filter((method) => method === "GET").length).toBeGreaterThan(1);
    expect((await ana.ask(`/transcriptions/${result.id}`)).body.status).toMatch(/queued|running/);
    await expect
      .poll(async () => (await ana.ask(`/transcriptions/${result.id}`)).body)
      .toMatchObject({ status: "queued", waitingFor: "storage" });
    expect(mediaFiles, "nothing is heard that isn't whole").toEqual([]);
    answer = undefined;
    expect(await ana.ended(result.id)).toMatchObject({ status: "done" });
    expect(Buffer.compare(mediaFiles[0]!, media)).toBe(0);
    expect(await ana.used()).toBe(1);
    const causes = new Set(service.faults.splice(0).map(({ error }) => String((error as Error).cause)));
    expect([...causes]).toEqual(fault === undefined ? [] : [expect.stringMatching(fault)]);
  });

  test("fail, free, when it stays away, and tell how to go on", async () => {
    const ana = await aSender();
    answer = refuse("GET", 503);
    const result = await ana.send(service.newReel(), media);
    await expect.poll(() => requests).toContain("GET");
    await expect
      .poll(async () => {
        service.clock.advance(outageSeconds * 1_000);
        return (await ana.ask(`/transcriptions/${result.id}`)).body.status;
      })
      .toBe("failed");
    const { error } = await ana.ended(result.id);
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("Send the reel again") });
    expect(await ana.used()).toBe(0);
    answer = undefined;
    expect(await objectsLeft()).toBe(0);
  });

  test("that it lost fail as ours, and cost nothing", async () => {
    const ana = await aSender();
    answer = (request, response) => {
      if (request.method !== "GET") return undefined;
      response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
      return true;
    };
    const result = await ana.send(service.newReel(), media);
    expect(await ana.ended(result.id)).toMatchObject({ status: "failed", error: { code: "internalError" } });
    expect(await ana.used()).toBe(0);
    expect(service.faults.splice(0).map(({ error }) => String(error))).toEqual([
      expect.stringContaining("aren't there"),
      expect.stringContaining("aren't there"),
    ]);
  });
});
