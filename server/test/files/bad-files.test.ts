import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/start-program.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aFileSender, askUpload, aVideo } from "./file-sender.ts";

const service = serviceOfTests({
  maxFileBytes: 50_000_000,
  maxFileSeconds: 90,
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files"],
});

const text = (said: string): Buffer => Buffer.from(said.padEnd(4_000, " "));
const reel = (name: string): Promise<Buffer> => readFile(path.join(root, "platform-standin/reels", name));

/** One channel of 16-bit silence that states `stated` bytes. */
function aRecording(seconds: number, stated?: number): Buffer {
  const rate = 8_000;
  const data = Buffer.alloc(seconds * rate * 2);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(stated ?? 36 + data.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** These are refused while they arrive, because their first bytes show it, whatever the name says. */
const atOnce: readonly [string, () => Buffer | Promise<Buffer>, string][] = [
  ["a document", () => text("%PDF-1.7"), "notMedia"],
  ["an archive", () => Buffer.from("504b0304".padEnd(2_000, "00"), "hex"), "notMedia"],
  ["a program's text", () => text("#!/bin/sh\necho hello"), "notMedia"],
  ["nothing but zeros", () => Buffer.alloc(3_000), "notMedia"],
  ["a JPEG", () => reel("en-square.jpg"), "isImage"],
  ["a PNG", () => Buffer.from("89504e470d0a1a0a".padEnd(400, "0"), "hex"), "isImage"],
  ["a HEIC", () => Buffer.concat([Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic"), Buffer.alloc(200)]), "isImage"],
  ["a WebP", () => Buffer.concat([Buffer.from("RIFF\u0010\0\0\0WEBPVP8 "), Buffer.alloc(200)]), "isImage"],
  ["an SVG", () => text('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>'), "isImage"],
  ["a playlist of HLS", () => text("#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.ts"), "isPlaylist"],
  ["a playlist of DASH", () => text('<?xml version="1.0"?>\n<MPD type="static"></MPD>'), "isPlaylist"],
  ["a playlist of a player", () => text("[playlist]\nFile1=file:///etc/passwd"), "isPlaylist"],
];

/** Only the whole file shows these. */
const later: readonly [string, () => Buffer | Promise<Buffer>, string, Readonly<Record<string, unknown>>?][] = [
  ["a video without its end", async () => (await reel("en-square.mp4")).subarray(0, 60_000), "mediaBrokenOff"],
  ["a video without its description", async () => withoutDescription(await reel("en-square.mp4")), "mediaBrokenOff"],
  ["a recording that states more than there is", () => aRecording(2, 5_000_000), "mediaBrokenOff"],
  ["a video that is encrypted", async () => encrypted(await reel("en-square.mp4")), "encryptedMedia"],
  ["a recording longer than the bound", () => aRecording(91), "videoTooLong"],
  ["one that is longer than stated", () => aRecording(20), "longerThanStated", { seconds: 10 }],
  ["one that changed while it was sent", () => aRecording(3), "mediaChanged", { sha256: "0".repeat(64) }],
  ["a video whose sound is garbage", async () => garbled(await reel("en-square.mp4")), "unreadableMedia"],
  ["a video without sound", () => reel("no-audio.mp4"), "noAudio"],
];

describe("a bad file", () => {
  test.each(atOnce)("that is %s is refused while it arrives", async (_name, bytes, reason) => {
    const ana = await aFileSender(service);
    const { id, url, response } = await ana.send(await bytes(), { name: "clip.mp4" });
    expect([response.status, response.headers.get("x-error-reason")]).toEqual([422, reason]);
    expect(await ana.get(id)).toMatchObject({ status: "failed", error: { reason }, deletion: { bytes: 0 } });
    expect((await askUpload(url, "HEAD")).status).toBe(422);
    expect(await ana.used()).toBe(0);
  });

  test.each(later)("that is %s is never charged, and nothing stays", async (_name, make, reason, input) => {
    const ana = await aFileSender(service);
    const bytes = await make();
    const { id, response } = await ana.send(bytes, { keepDays: 30, ...input });
    expect(response.status).toBe(204);
    const file = await ana.ended(id);
    expect(file).toMatchObject({ status: "failed", error: { reason }, deletion: { bytes: bytes.length } });
    expect(file.error?.message).not.toContain("reel");
    expect(await service.store.files.readKeptPart(id, 0)).toBeUndefined();
    expect(await ana.used()).toBe(0);
    const { used, held } = await service.store.allowances.read({ accountId: ana.accountId, slot: 1 }, "lifetime");
    expect([used, held]).toEqual([0, 0]);
  });

  test("says each reason in a sentence of its own", async () => {
    const messages = new Set<string>();
    for (const [, make, , input] of later) {
      const ana = await aFileSender(service);
      const { id } = await ana.send(await make(), input);
      messages.add((await ana.ended(id)).error?.message ?? "");
    }
    expect(messages.size).toBe(new Set(later.map(([, , reason]) => reason)).size);
  });
});

test("a good file is transcribed by the real recognizer, whatever its name", async () => {
  const ana = await aFileSender(service);
  const video = await reel("en-square.mp4");
  const sha256 = createHash("sha256").update(video).digest("hex");
  const { id } = await ana.send(video, { name: "notes.txt", sha256 });
  const file = await ana.ended(id);
  expect(file).toMatchObject({ status: "done", title: "notes" });
  expect(await ana.used()).toBe(1);
  const silent = await ana.ended((await ana.send(aRecording(5))).id);
  expect(silent.status, "nothing is said").toBe("done");
  expect(await ana.used()).toBe(1);
  expect((await aVideo()).length).toBeGreaterThan(0);
});

/** The boxes of a video but its description. */
function withoutDescription(video: Buffer): Buffer {
  const keptBoxes: Buffer[] = [];
  for (let at = 0; at + 8 <= video.length;) {
    const length = video.readUInt32BE(at);
    if (video.toString("latin1", at + 4, at + 8) !== "moov") keptBoxes.push(video.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(keptBoxes);
}

/** Names of protected samples, as a shop's videos have them. */
function encrypted(video: Buffer): Buffer {
  const copy = Buffer.from(video);
  const at = copy.indexOf("mp4a");
  copy.write("enca", at, "latin1");
  copy.write("sinf", copy.indexOf("esds"), "latin1");
  return copy;
}

function garbled(video: Buffer): Buffer {
  const copy = Buffer.from(video);
  const at = copy.indexOf("mdat") + 4;
  const length = copy.readUInt32BE(at - 8) - 8;
  for (let index = 0; index < length; index += 1) copy[at + index] = (index * 7_919) % 251;
  return copy;
}
