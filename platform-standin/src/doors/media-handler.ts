import type { IncomingMessage, ServerResponse } from "node:http";
import { declareUnknownCodec } from "../made-media/broken-media.ts";
import { separateTracks } from "../made-media/separate-tracks.ts";
import { sendMediaFault, type MediaFault } from "./media-fault.ts";
import type { MediaLinks, TrackName } from "../reels/media-links.ts";
import type { ReelRegistry } from "../reels/reel-registry.ts";
import type { StandinMedia } from "../reels/standin-reel.ts";
import type { CountingRequestCounters } from "./request-counters.ts";
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

const side = 32;

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/** A small square of one color, which follows from the name. */
function avatarPng(name: string): Buffer {
  const color = createHash("sha256").update(name).digest().subarray(0, 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: side }, () => color)]);
  const pixels = Buffer.concat(Array.from({ length: side }, () => row));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

type Range = { start: number; end: number } | "whole" | "unsatisfiable";

/** Reads one `bytes=` range; several ranges or other units mean the whole file, as HTTP allows. */
function rangeOf(header: string | undefined, size: number): Range {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return "whole";
  const [first, last] = [match[1] ?? "", match[2] ?? ""];
  if (first === "")
    return Number(last) === 0 ? "unsatisfiable" : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (start >= size || (last !== "" && Number(last) < start)) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

const commonHeaders = {
  "cross-origin-resource-policy": "same-origin",
  "access-control-allow-origin": "*",
  "cache-control": "max-age=1209600, no-transform",
  "accept-ranges": "bytes",
};

function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Buffer, type: string): void {
  const range = rangeOf(request.headers.range, bytes.length);
  const headers = { ...commonHeaders, "content-type": type };
  if (range === "unsatisfiable") {
    response.writeHead(416, { ...headers, "content-range": `bytes */${bytes.length}` }).end();
    return;
  }
  const [start, end] = range === "whole" ? [0, bytes.length - 1] : [range.start, range.end];
  const partial = range === "whole" ? {} : { "content-range": `bytes ${start}-${end}/${bytes.length}` };
  response.writeHead(range === "whole" ? 200 : 206, {
    ...headers,
    ...partial,
    "content-length": String(end - start + 1),
  });
  response.end(request.method === "HEAD" ? undefined : bytes.subarray(start, end + 1));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...commonHeaders, "content-type": "text/plain" }).end(message);
}

export interface MediaHandlerInput {
  readonly registry: ReelRegistry;
  readonly counters: CountingRequestCounters;
  readonly links: MediaLinks;
  readonly origin: () => string;
  readonly forbiddenOrigin: () => string;
}

/** Answers for the media host: signed videos with ranges, posters, avatars, and what may go wrong there. */
export function createMediaHandler(input: MediaHandlerInput) {
  const { registry, counters, links } = input;

  async function sendVideo(request: IncomingMessage, response: ServerResponse, mediaId: string, index: number) {
    const media = registry.byMediaId(mediaId)?.media[index];
    if (!media || media.type !== "video") return refuse(response, 404, "Not found");
    const bytes = await media.load();
    const fault: MediaFault | undefined = media.fault;
    if (fault && sendMediaFault({ fault, bytes, response, forbiddenOrigin: input.forbiddenOrigin() })) return undefined;
    return sendBytes(request, response, bytes, fault?.name === "contentType" ? fault.type : "video/mp4");
  }

  async function sendTrack(
    request: IncomingMessage,
    response: ServerResponse,
    media: StandinMedia | undefined,
    track: TrackName,
  ) {
    const tracks = media && (await separateTracks(media));
    const bytes = track === "video" ? tracks?.video : tracks?.audio;
    if (!bytes) return refuse(response, 404, "Not found");
    const type = track === "video" ? "video/mp4" : "audio/mp4";
    return sendBytes(request, response, track === "unreadable" ? declareUnknownCodec(bytes) : bytes, type);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", input.origin());
    const [, mediaId = "", index = "", track, ending = ""] =
      /\/(\d+)_(\d+)(?:_(audio|video|unreadable))?\.(mp4|jpg)$/.exec(url.pathname) ?? [];
    const reel = registry.byMediaId(mediaId);
    const avatar = url.pathname.startsWith("/v/t51.2885-19/");
    counters.count(ending === "mp4" ? "media" : ending === "jpg" || avatar ? "thumbnail" : "unknown", reel?.code);
    const checked = links.check(url.pathname, url.searchParams);
    if (checked === "forged") return refuse(response, 403, "Bad URL hash");
    if (checked === "expired") return refuse(response, 403, "URL signature expired");
    if (track) return sendTrack(request, response, reel?.media[Number(index)], track as TrackName);
    if (ending === "mp4") return sendVideo(request, response, mediaId, Number(index));
    if (avatar) return sendBytes(request, response, avatarPng(url.pathname), "image/png");
    const poster = await reel?.media[Number(index)]?.poster();
    return poster ? sendBytes(request, response, poster, "image/jpeg") : refuse(response, 404, "Not found");
  };
}
