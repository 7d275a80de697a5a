import { createWriteStream } from "node:fs";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { FetchFailure } from "./fetch-failure.ts";
import { type Answer, failureOf } from "./guarded-request.ts";

/** The body as text, unpacked; at most `maxBytes` of it. */
export async function readText(answer: Answer, maxBytes: number, signal: AbortSignal): Promise<string> {
  return (await readBytes(answer, maxBytes, signal)).toString("utf8");
}

/** The body, unpacked; at most `maxBytes` of it. */
export async function readBytes(answer: Answer, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pour(answer, sink, maxBytes, signal);
  return Buffer.concat(chunks);
}

/** Writes the body over `file`; at most `maxBytes` of it. */
export async function saveBody(answer: Answer, file: string, maxBytes: number, signal: AbortSignal): Promise<void> {
  const stated = Number(answer.headers["content-length"] ?? 0);
  if (stated > maxBytes) {
    answer.message.destroy();
    throw new FetchFailure("tooLarge", `${answer.url.host} states ${stated} bytes, more than ${maxBytes}`);
  }
  const sink = createWriteStream(file, { flags: "w" });
  await pour(answer, sink, maxBytes, signal);
  if (sink.bytesWritten === 0) throw new FetchFailure("unreachable", `${answer.url.host} sent nothing`);
}

/** Leaves the body unread. */
export function dropBody(answer: Answer): void {
  answer.message.destroy();
}

async function pour(answer: Answer, sink: Writable, maxBytes: number, signal: AbortSignal): Promise<void> {
  const { message, url } = answer;
  try {
    await pipeline([message, ...unpack(answer), limit(maxBytes, answer), sink], { signal });
  } catch (error) {
    throw failureOf(error, url, signal);
  }
  const late = answer.lateError();
  if (late !== undefined || !message.complete)
    throw new FetchFailure("unreachable", `${url.host} sent another length than it stated`, late);
}

function unpack(answer: Answer): Transform[] {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return [];
  if (encoding === "gzip") return [createGunzip()];
  answer.message.destroy();
  throw new FetchFailure("unreachable", `${answer.url.host} answers in an encoding that was not asked for`);
}

function limit(maxBytes: number, { url, onSign }: Answer): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onSign?.();
      if (bytes > maxBytes) done(new FetchFailure("tooLarge", `${url.host} sends more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}
