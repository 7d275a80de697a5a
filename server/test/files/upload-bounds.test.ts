import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, request, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { aFileSender, askUpload, aVideo, offsetOf, partBytes, patch } from "./file-sender.ts";

const megabyte = 1_000_000;
const gate = createGatedTranscriber();
Object.assign(gate, { measure: async () => ({ seconds: 3, isLonger: false }) });
const service = serviceOfTests({
  transcriber: gate,
  sentBytesPerHour: 40 * megabyte,
  callLimits: { atATime: 1, waiting: 1 },
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files"],
});
afterEach(() => gate.open());

/** Sends a body that breaks off after its last byte, before its end is known. */
async function sendWithoutEnd(url: string, from: number, bytes: Buffer): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const headers = {
    "tus-resumable": "1.0.0",
    "upload-offset": from,
    "content-type": "application/offset+octet-stream",
    "transfer-encoding": "chunked",
  };
  const open = request({ hostname, port, method: "PATCH", path: pathname, headers }).on("error", () => undefined);
  await new Promise((resolve) => open.write(bytes, resolve));
  // The server loses bytes that it hasn't read when the connection is closed. They are sent again.
  await pause(200);
  open.destroy();
}

describe("uploads", () => {
  test("are whole with their last byte, however the request that brought it ended", async () => {
    const ana = await aFileSender(service);
    for (const [length, mark] of [
      [50_000, "1"],
      [2.5 * partBytes, "2"],
      [3 * partBytes, "3"],
    ] as const) {
      const video = await aVideo(length, mark);
      const { body } = await ana.create(video.length);
      await expect
        .poll(
          async () => {
            const offset = await offsetOf(body.uploadUrl);
            if (offset < video.length) await sendWithoutEnd(body.uploadUrl, offset, video.subarray(offset));
            return offset;
          },
          { timeout: 60_000 },
        )
        .toBe(video.length);
      expect((await ana.ended(body.id)).status, mark).toBe("done");
      const again = await patch(body.uploadUrl, video.length, new Uint8Array());
      expect([again.status, again.headers.get("upload-offset")]).toEqual([204, String(video.length)]);
    }
  });

  test("with wrong checksums use up the bytes of the hour, though nothing of them stays", async () => {
    const ana = await aFileSender(service);
    const video = await aVideo(10 * megabyte, "v");
    const { body } = await ana.create(video.length);
    const wrong = { "upload-checksum": `sha1 ${createHash("sha1").digest("base64")}` };
    const statuses: number[] = [];
    for (let times = 0; times < 6; times += 1) statuses.push((await patch(body.uploadUrl, 0, video, wrong)).status);
    // The last part of a body is counted when it is stored.
    expect(statuses).toEqual([460, 460, 460, 460, 460, 429]);
    const refused = await patch(body.uploadUrl, 0, video);
    expect([refused.status, refused.headers.get("x-error-reason")]).toEqual([429, "tooManyRequests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    service.clock.advance(hour);
    expect((await patch(body.uploadUrl, 0, video)).status).toBe(204);
    expect((await ana.ended(body.id)).status).toBe("done");
  });

  test.each(["GET", "HEAD", "DELETE"])("are looked up in the places of a network: %s", async (method) => {
    const unknown = `${service.url}/uploads/${randomBytes(32).toString("base64url")}`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => askUpload(unknown, method)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });
});

test("an account reads eight media at a time, and of more the oldest ends", async () => {
  const person = await signInNew(service);
  const video = await aVideo(30 * megabyte, "r");
  const { body } = await person.api("createFile", { name: "draft.mp4", bytes: video.length, keepDays: 1 });
  await patch(body.uploadUrl, 0, video);
  await expect.poll(async () => (await person.api("getFile", { id: body.id })).body.status).toBe("done");
  const url = `${service.url}/app/api/files/${body.id}/media`;
  const open: IncomingMessage[] = [];
  for (let count = 0; count < 10; count += 1) {
    const [response] = (await once(get(url, { headers: { cookie: person.cookie } }), "response")) as [IncomingMessage];
    onTestFinished(() => void response.destroy());
    response.on("error", () => undefined);
    open.push(response);
  }
  const lengths = await Promise.all(
    open.map(async (response) => {
      let length = 0;
      response.on("data", (chunk: Buffer) => (length += chunk.length));
      await new Promise((resolve) => response.once("close", resolve));
      return length === video.length;
    }),
  );
  expect(lengths).toEqual(Array.from({ length: 10 }, (_, index) => index >= 2));
});
