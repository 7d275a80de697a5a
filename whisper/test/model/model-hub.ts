import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { onTestFinished } from "vitest";

export const MODEL = "somebody/whisper-base";
const REVISION = "0123456789abcdef0123456789abcdef01234567";
const LARGE = ["onnx/encoder_model.onnx", "onnx/decoder_model_merged_quantized.onnx"];
const SMALL = [
  "config.json",
  "generation_config.json",
  "preprocessor_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];

const embedded = new Map(
  [...SMALL, ...LARGE].map((path) => [path, readFileSync(join(embeddedModelDirectory, path))] as const),
);

interface HubRequest {
  readonly path: string;
  readonly range: string | undefined;
}

export interface HubBehaviour {
  /** Serve the embedded model as it is; otherwise its two large files are cut, which makes tests short. */
  readonly isWhole?: boolean;
  /** Files that are in the repository beside or in place of the embedded model's. */
  readonly files?: Readonly<Record<string, Buffer>>;
  readonly without?: readonly string[];
  /** Checksum stated for a file in place of the right one. */
  readonly statedChecksum?: Readonly<Record<string, string>>;
  /** Called before a file is sent; returns how many bytes to send before the connection breaks. */
  readonly breakAfter?: (path: string, from: number) => number | undefined;
  readonly ignoresRange?: boolean;
  readonly redirectsForever?: boolean;
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
export async function startHub(behaviour: HubBehaviour = {}): Promise<Hub> {
  const requests: HubRequest[] = [];
  const files = new Map<string, Buffer>();
  for (const path of [...SMALL, ...LARGE]) {
    const bytes = embedded.get(path) ?? Buffer.alloc(0);
    const isCut = behaviour.isWhole !== true && LARGE.includes(path);
    if (!behaviour.without?.includes(path)) files.set(path, isCut ? bytes.subarray(0, 6_000_000) : bytes);
  }
  files.set("README.md", Buffer.from("not wanted"));
  files.set("onnx/decoder_model_merged.onnx", Buffer.from("not wanted while there is a quantised one"));
  for (const [path, bytes] of Object.entries(behaviour.files ?? {})) files.set(path, bytes);
  const listing = [
    { type: "directory", oid: "0".repeat(40), size: 0, path: "onnx" },
    ...[...files].map(([path, bytes]) => entry(path, bytes, behaviour.statedChecksum?.[path])),
    ...(behaviour.extraEntries ?? []),
  ];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").slice(1);
    requests.push({ path, range: request.headers.range });
    if (behaviour.redirectsForever === true) {
      response.writeHead(302, { location: `/${path}` }).end();
    } else if (path === `api/models/${MODEL}`) {
      json(response, { id: MODEL, sha: REVISION });
    } else if (path === `api/models/${MODEL}/tree/${REVISION}?recursive=true`) {
      json(response, listing);
    } else {
      sendFile(path, request, response, files, behaviour);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, files, stop };
}

function sendFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, Buffer>,
  behaviour: HubBehaviour,
): void {
  const name = path.replace(`${MODEL}/resolve/${REVISION}/`, "").replace("delivery/", "");
  const bytes = files.get(name);
  if (bytes === undefined) {
    json(response, { error: "Repository not found" }, 404);
    return;
  }
  if (LARGE.includes(name) && !path.startsWith("delivery/")) {
    response.writeHead(302, { location: `/delivery/${name}` }).end();
    return;
  }
  const asked = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const from = behaviour.ignoresRange === true ? 0 : asked;
  const headers: Record<string, string> = { "content-length": String(bytes.length - from) };
  if (from > 0) headers["content-range"] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(from > 0 ? 206 : 200, headers);
  const until = behaviour.breakAfter?.(name, from);
  if (until === undefined) response.end(bytes.subarray(from));
  else response.write(bytes.subarray(from, from + until), () => setTimeout(() => response.destroy(), 20));
}

function entry(path: string, bytes: Buffer, stated: string | undefined): object {
  const gitBlob = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  if (!LARGE.includes(path)) return { type: "file", oid: stated ?? gitBlob, size: bytes.length, path };
  const sha256 = stated ?? createHash("sha256").update(bytes).digest("hex");
  const lfs = { oid: sha256, size: bytes.length, pointerSize: 134 };
  return { type: "file", oid: "1".repeat(40), size: bytes.length, lfs, path };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
