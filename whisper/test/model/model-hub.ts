import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { onTestFinished } from "vitest";

export const hubModel = "somebody/whisper-base";
export const revision = "0123456789abcdef0123456789abcdef01234567";
const largeFiles = ["onnx/encoder_model.onnx", "onnx/decoder_model_merged_quantized.onnx"];
const smallFiles = [
  "config.json",
  "generation_config.json",
  "preprocessor_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];

/** The embedded decoder has a layout of its own; a download only needs a large file under the usual name. */
const storedAs: Readonly<Record<string, string>> = {
  "onnx/decoder_model_merged_quantized.onnx": "onnx/decoder_compact_quantized.onnx",
};

const embedded = new Map(
  [...smallFiles, ...largeFiles].map(
    (file) => [file, readFileSync(path.join(embeddedModelDirectory, storedAs[file] ?? file))] as const,
  ),
);

interface HubRequest {
  readonly path: string;
  readonly range: string | undefined;
}

export interface HubBehavior {
  /** Serve the embedded model as it is; otherwise its two large files are cut, which makes tests short. */
  readonly isWhole?: boolean;
  /** Files that are in the repository beside or in place of the embedded model's. */
  readonly files?: Readonly<Record<string, Buffer>>;
  readonly without?: readonly string[];
  /** Checksum stated for a file in place of the right one. */
  readonly statedChecksum?: Readonly<Record<string, string>>;
  /** Called before a file is sent; returns how many bytes to send before the connection breaks. */
  readonly breakAfter?: (file: string, from: number) => number | undefined;
  readonly ignoresRange?: boolean;
  readonly redirectsForever?: boolean;
  /** Returns after how many bytes a file stops coming, with the connection left open. */
  readonly stallAfter?: (file: string, from: number) => number | undefined;
  /** Bytes that the listing states for a file in place of the right number. */
  readonly statedSize?: Readonly<Record<string, number>>;
  /** Every answer is a page for people, as from a network that wants a sign-in. */
  readonly answersPages?: boolean;
  /** Files are pages, as from a proxy that blocks downloads. */
  readonly sendsPages?: boolean;
  /** Entries put into the listing as they are. */
  readonly extraEntries?: readonly object[];
}

export interface Hub {
  readonly url: string;
  readonly requests: HubRequest[];
  readonly files: ReadonlyMap<string, Buffer>;
  stop(): Promise<void>;
}

/** Serves the embedded model as a hub does: description, listing with checksums, large files by a redirect. */
export async function startHub(behavior: HubBehavior = {}): Promise<Hub> {
  const requests: HubRequest[] = [];
  const files = new Map<string, Buffer>();
  for (const file of [...smallFiles, ...largeFiles]) {
    const bytes = embedded.get(file) ?? Buffer.alloc(0);
    const isCut = behavior.isWhole !== true && largeFiles.includes(file);
    if (!behavior.without?.includes(file)) files.set(file, isCut ? bytes.subarray(0, 6_000_000) : bytes);
  }
  files.set("README.md", Buffer.from("not wanted"));
  files.set("onnx/decoder_model_merged.onnx", Buffer.from("not wanted while there is a quantised one"));
  for (const [file, bytes] of Object.entries(behavior.files ?? {})) files.set(file, bytes);
  const listing = [
    { type: "directory", oid: "0".repeat(40), size: 0, path: "onnx" },
    ...[...files].map(([file, bytes]) =>
      entry(file, bytes, behavior.statedChecksum?.[file], behavior.statedSize?.[file]),
    ),
    ...(behavior.extraEntries ?? []),
  ];
  const server = createServer((request, response) => {
    const file = (request.url ?? "").slice(1);
    requests.push({ path: file, range: request.headers.range });
    if (behavior.answersPages === true) page(response);
    else if (behavior.redirectsForever === true) response.writeHead(302, { location: `/${file}` }).end();
    else if (file === `api/models/${hubModel}`) json(response, { id: hubModel, sha: revision });
    else if (file === `api/models/${hubModel}/tree/${revision}?recursive=true`) json(response, listing);
    else if (behavior.sendsPages === true) page(response);
    else sendFile(file, request, response, files, behavior);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, files, stop };
}

function sendFile(
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, Buffer>,
  behavior: HubBehavior,
): void {
  const name = file.replace(`${hubModel}/resolve/${revision}/`, "").replace("delivery/", "");
  const bytes = files.get(name);
  if (bytes === undefined) {
    json(response, { error: "Repository not found" }, 404);
    return;
  }
  if (largeFiles.includes(name) && !file.startsWith("delivery/")) {
    response.writeHead(302, { location: `/delivery/${name}` }).end();
    return;
  }
  const firstByte = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const from = behavior.ignoresRange === true ? 0 : firstByte;
  const headers: Record<string, string> = { "content-length": String(bytes.length - from) };
  if (from > 0) headers["content-range"] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(from > 0 ? 206 : 200, headers);
  const still = behavior.stallAfter?.(name, from);
  if (still !== undefined) {
    response.flushHeaders();
    response.write(bytes.subarray(from, from + still));
    return;
  }
  const until = behavior.breakAfter?.(name, from);
  if (until === undefined) response.end(bytes.subarray(from));
  else response.write(bytes.subarray(from, from + until), () => setTimeout(() => response.destroy(), 20));
}

function entry(file: string, bytes: Buffer, stated: string | undefined, size = bytes.length): object {
  const gitBlob = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  if (!largeFiles.includes(file)) return { type: "file", oid: stated ?? gitBlob, size, path: file };
  const sha256 = stated ?? createHash("sha256").update(bytes).digest("hex");
  const lfs = { oid: sha256, size, pointerSize: 134 };
  return { type: "file", oid: "1".repeat(40), size, lfs, path: file };
}

function page(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
