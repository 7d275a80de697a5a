import type { IncomingMessage, ServerResponse } from "node:http";
import { declareUnknownCodec } from "../made-media/broken-media.ts";
import { separateTracks } from "../made-media/separate-tracks.ts";
import type { StandinMedia } from "../reels/standin-reel.ts";
import { type Answer, sendAnswer, textAnswer } from "./answer.ts";
import { faultyAnswer, isWhole } from "./media-fault.ts";
import type { Site } from "./site.ts";

/** A square in one color, used for all accounts. */
const avatar = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAAA1BMVEVKIEA5L1D+AAAADElEQVR4nGNgGNwAAACgAAGwBmIYAAAAAElFTkSuQmCC",
  "base64",
);

const commonHeaders = {
  "cross-origin-resource-policy": "same-origin",
  "access-control-allow-origin": "*",
  "cache-control": "max-age=1209600, no-transform",
  "accept-ranges": "bytes",
};

/** The bytes, or one `bytes=` range of them. For several ranges or other units it is the whole file, as HTTP allows. */
function bytesAnswer(body: Buffer, type: string, range = ""): Answer {
  const headers = { ...commonHeaders, "content-type": type };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === "" && last === "") return { status: 200, headers, body };
  const { length } = body;
  const start = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (start > end) return { status: 416, headers: { ...headers, "content-range": `bytes */${length}` }, body: "" };
  return {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${start}-${end}/${length}` },
    body: body.subarray(start, end + 1),
  };
}

const refusal = (status: number, body: string): Answer => {
  const answer = textAnswer(status, body);
  return { ...answer, headers: { ...commonHeaders, ...answer.headers } };
};
const notFound = refusal(404, "Not found");

async function trackAnswer(media: StandinMedia | undefined, track: string, range?: string): Promise<Answer> {
  const tracks = media && (await separateTracks(media));
  if (track === "video") return tracks ? bytesAnswer(tracks.video, "video/mp4", range) : notFound;
  const audio = tracks?.audio;
  return audio
    ? bytesAnswer(track === "unreadable" ? declareUnknownCodec(audio) : audio, "audio/mp4", range)
    : notFound;
}

/** Serves as the media host: signed videos with ranges, posters, avatars, and its faults. */
export function createMediaHandler({ registry, counters, links, origins }: Site) {
  async function videoAnswer(media: StandinMedia | undefined, search: string, range?: string): Promise<Answer> {
    if (media?.type !== "video") return notFound;
    const bytes = await media.load();
    const answer = bytesAnswer(bytes, "video/mp4", isWhole(media.fault) ? undefined : range);
    return media.fault ? faultyAnswer(media.fault, answer, search, origins.forbidden) : answer;
  }

  async function answerTo({ url: path, headers: { range } }: IncomingMessage): Promise<Answer> {
    const { pathname, search, searchParams } = new URL(path ?? "/", origins.media);
    const [, mediaId = "", index = "", track, ending = ""] =
      /\/(\d+)_(\d+)(?:_(audio|video|unreadable))?\.(mp4|jpg)$/.exec(pathname) ?? [];
    const isAvatar = pathname.startsWith("/v/t51.2885-19/");
    const reel = registry.byMediaId(mediaId);
    counters.count(ending === "mp4" ? "media" : ending === "jpg" || isAvatar ? "thumbnail" : "unknown", reel?.code);
    const checked = links.check(pathname, searchParams);
    if (checked !== "valid") return refusal(403, checked === "forged" ? "Bad URL hash" : "URL signature expired");
    if (isAvatar) return bytesAnswer(avatar, "image/png");
    const media = reel?.media[Number(index)];
    if (track) return trackAnswer(media, track, range);
    if (ending === "mp4") return videoAnswer(media, search, range);
    return media ? bytesAnswer(await media.poster(), "image/jpeg") : notFound;
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    sendAnswer(response, await answerTo(request));
}
