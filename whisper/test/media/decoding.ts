import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { MediaDecoder } from "@reelscript/whisper";
import { createMediaDecoder } from "@reelscript/whisper";

export interface Decoded {
  readonly samples: Float32Array;
  readonly durationSeconds: number | null;
  readonly truncated: boolean;
}

export const neverAborted = new AbortController().signal;

export async function decodeAll(decoder: MediaDecoder, file: string, maxSeconds = 600): Promise<Decoded> {
  const media = decoder.decode(file, { maxSeconds, signal: neverAborted });
  const chunks: Float32Array[] = [];
  for await (const chunk of media.samples) chunks.push(chunk.slice());
  const [durationSeconds, truncated] = await Promise.all([media.durationSeconds, media.truncated]);
  return { samples: join(...chunks), durationSeconds, truncated };
}

export function join(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Writes the bytes to a file that is gone after the test. */
export async function temporaryFile(bytes: Uint8Array, name = "media.mp4"): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "reelscript-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  await writeFile(file, bytes, { mode: 0o755 });
  return file;
}

export function fixture(name: string): string {
  return new URL(`../fixtures/${name}`, import.meta.url).pathname;
}

/** The decoder of the system, or `null` where there is none. */
export async function systemDecoder(): Promise<MediaDecoder | null> {
  const decoder = await createMediaDecoder();
  if (decoder.description.startsWith("ffmpeg ")) return decoder;
  await decoder.close();
  return null;
}

/** Process ids of the children that this process has now (Linux). */
export function childProcesses(): ReadonlySet<number> {
  const tasks = readdirSync("/proc/self/task");
  const childIds = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" "));
  return new Set(childIds.filter((id) => id !== "").map(Number));
}

/** Other tests of a worker leave children of other kinds. */
export function isEmbeddedDecoder(processId: number): boolean {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, "utf8").includes("embedded-ffmpeg-child");
  } catch {
    return false; // It has ended.
  }
}

export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
