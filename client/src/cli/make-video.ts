import { open, rename, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CallError } from "../call-error.ts";
import type { Input, Output } from "../operation-types.ts";
import { connect } from "./call-service.ts";
import type { CommonValues } from "./parse-arguments.ts";
import { createMediaFetch } from "./send-file.ts";
import { exit, type Surroundings } from "./surroundings.ts";
import { plainText } from "./text.ts";

export interface VideoInput {
  readonly id: string;
  readonly style?: Input<"createVideo">["style"];
  readonly output?: string;
}

const lookMilliseconds = 2_000;
/** Consecutive failures without a byte in between. */
const mostFailures = 8;
const longestPause = 20_000;

/** Makes a subtitled video of a script's file, waits for it, and downloads it. Returns the exit code. */
export async function makeVideo(
  { id: scriptId, style = "lowerThird", output }: VideoInput,
  common: CommonValues,
  surroundings: Surroundings,
): Promise<number> {
  const { environment, stdout, stderr, signal } = surroundings;
  const { client, ticker } = connect("make-video", true, common, surroundings);
  ticker.start();
  try {
    let video: Output<"getVideo"> = await client.createVideo({ scriptId, style }, { signal });
    while (common.async !== true && (video.status === "queued" || video.status === "running")) {
      ticker.show({ progress: video.progress });
      await sleep(lookMilliseconds, undefined, { signal });
      video = await client.getVideo({ id: video.id }, { signal });
    }
    if (video.error !== undefined)
      throw new CallError(video.error.code, video.error.message, { reason: video.error.reason });
    if (video.downloadUrl === undefined) {
      ticker.stop();
      if (common.json) stdout.write(`${JSON.stringify(video)}\n`);
      else stderr.write(`${plainText(`Follow it with: reelscript video ${video.id}`)}\n`);
      return exit.done;
    }
    const file = output ?? `${video.id}.mp4`;
    const authorization = `Bearer ${common.key ?? environment["REELSCRIPT_API_KEY"] ?? ""}`;
    const { downloadUrl: url, bytes = 0 } = video;
    await download(file, { url, bytes, authorization, fetch: createMediaFetch(url, environment), signal });
    ticker.stop();
    if (video.lacksLetters)
      stderr.write("The server has no font for some letters, which the video shows as empty boxes.\n");
    stdout.write(common.json ? `${JSON.stringify({ file, ...video })}\n` : `${plainText(file)}\n`);
    return exit.done;
  } finally {
    ticker.stop();
  }
}

interface Source {
  readonly url: string;
  readonly bytes: number;
  readonly authorization: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** Downloads to a temporary file next to `file`, and continues where the connection broke. */
async function download(file: string, source: Source): Promise<void> {
  const part = `${file}.part`;
  const opened = await open(part, "w");
  try {
    let written = 0;
    for (let failures = 0; written < source.bytes;) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      const { position, error } = await writeFrom(opened, written, source);
      source.signal.throwIfAborted();
      failures = position > written ? 1 : failures + 1;
      written = position;
      if (written >= source.bytes) break;
      if (error instanceof CallError || failures > mostFailures) throw error ?? new Error("the download breaks off");
      // oxlint-disable-next-line no-await-in-loop -- waits for the connection
      await sleep(Math.min(longestPause, 500 * 2 ** (failures - 1)), undefined, { signal: source.signal });
    }
  } finally {
    await opened.close();
  }
  await rename(part, file);
}

/** Writes the response to one request. Returns the position after its last byte, and the error if it broke off. */
async function writeFrom(
  file: FileHandle,
  from: number,
  { url, authorization, fetch, signal }: Source,
): Promise<{ readonly position: number; readonly error?: unknown }> {
  let position = from;
  try {
    const response = await fetch(url, { headers: { authorization, range: `bytes=${from}-` }, signal });
    if (response.status !== 206 || response.body === null)
      throw new CallError("notFound", `The video can't be downloaded: the service answered with ${response.status}.`);
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      await file.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
    return { position };
  } catch (error) {
    return { position, error };
  }
}
