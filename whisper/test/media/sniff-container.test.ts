import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sniffContainer } from "../../src/media/inspect-file.ts";
import { fixture } from "./decoding.ts";
import { concatScript, floatWav, playlist, randomBytes } from "./hostile-media.ts";

describe("sniffContainer", () => {
  test.each([
    ["chirp.mp4", "isobmff"],
    ["chirp.webm", "ebml"],
    ["chirp.mp3", "mp3"],
    ["chirp.ogg", "ogg"],
    ["chirp.flac", "flac"],
  ])("%s is %s", (name, container) => {
    expect(sniffContainer(readFileSync(fixture(name)).subarray(0, 4096))).toBe(container);
  });

  test("a WAV file", () => {
    expect(sniffContainer(floatWav([0, 0.5]))).toBe("wav");
  });

  test("MP3 frames without a tag need a second frame of the same kind where the first one ends", () => {
    const file = readFileSync(fixture("chirp.mp3"));
    const tagBytes = 10 + [...file.subarray(6, 10)].reduce((sum, byte) => sum * 128 + byte, 0);
    const frames = Buffer.from(file.subarray(tagBytes));
    expect(sniffContainer(frames.subarray(0, 4096))).toBe("mp3");
    expect(sniffContainer(frames.subarray(0, 100))).toBeNull();
  });

  test.each([
    ["an HLS playlist", playlist("http://127.0.0.1/secret.ts")],
    ["a concat script", concatScript("/etc/passwd")],
    ["text", Buffer.from("ID3 is what this text is about, and RIFF, and OggS")],
    ["a web page", Buffer.from("<!doctype html><title>ftyp</title>")],
    ["ADTS", Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, 0xff, 0xf1, 0x50, 0x80])],
    ["AVI", Buffer.from("RIFF\0\0\0\0AVI LIST")],
    ["random bytes", randomBytes(4096)],
    ["one byte", Buffer.from([0xff])],
    ["nothing", Buffer.alloc(0)],
  ])("%s is none", (_name, bytes) => {
    expect(sniffContainer(bytes)).toBeNull();
  });
});
