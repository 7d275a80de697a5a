import { ServiceError } from "@reelscript/contract";
import { sniffContainer } from "@reelscript/whisper";

/** Why a file that its sender calls media isn't transcribed, for callers. */
export type ContentFault =
  | "notMedia"
  | "isImage"
  | "isPlaylist"
  | "encryptedMedia"
  | "mediaBrokenOff"
  | "mediaChanged"
  | "longerThanStated";

const messages: Readonly<Record<ContentFault, string>> = {
  notMedia: "This file is neither a video nor a recording. Send MP4, MOV, WebM, MP3, M4A, Ogg, WAV or FLAC.",
  isImage: "This file is an image, so nothing is said in it. Send the video or the recording.",
  isPlaylist: "This file is a playlist, which only names media. Send the media themselves.",
  encryptedMedia: "This file is encrypted, so its sound can't be read. Send it without copy protection.",
  mediaBrokenOff: "This file ends early: a part of it is missing. Export or copy it again, and send the whole.",
  mediaChanged: "This file changed while it was sent, so its parts don't belong together. Send it again.",
  longerThanStated: "This file is longer than its sender stated. Send it again with its real length, or without one.",
};

export const contentError = (reason: ContentFault): ServiceError =>
  new ServiceError("invalidRequest", `${messages[reason]} You weren't charged.`, { reason });

/** Throws `invalidRequest` when the first bytes of a file, whatever its name, show that it isn't media. */
export function refuseContent(firstBytes: Uint8Array): void {
  if (isImage(firstBytes)) throw contentError("isImage");
  if (isPlaylist(firstBytes)) throw contentError("isPlaylist");
  if (sniffContainer(firstBytes) === null) throw contentError("notMedia");
}

const types = {
  isobmff: "video/mp4",
  ebml: "video/webm",
  ogg: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
  mp3: "audio/mpeg",
} as const;

/** The media type of a file, by its first bytes. */
export function mediaTypeOf(firstBytes: Uint8Array): string {
  const container = sniffContainer(firstBytes);
  return container === null ? "application/octet-stream" : types[container];
}

const imageMarks: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
  [0x42, 0x4d],
  [0x00, 0x00, 0x01, 0x00],
  [0x38, 0x42, 0x50, 0x53],
];

/** Brands of ISO files that hold a picture. */
const imageBrands: ReadonlySet<string> = new Set([
  "avif",
  "avis",
  "heic",
  "heix",
  "heim",
  "heis",
  "mif1",
  "msf1",
  "crx ",
]);

function isImage(bytes: Uint8Array): boolean {
  const text = beginningOf(bytes, 64);
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return true;
  if (text.slice(4, 8) === "ftyp" && imageBrands.has(text.slice(8, 12))) return true;
  if (/^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(beginningOf(bytes, 512).replace(/^ï»¿/, ""))) return true;
  return imageMarks.some((mark) => mark.every((byte, index) => bytes[index] === byte));
}

const playlistMarks =
  /^(?:#EXTM3U|\[playlist\]|(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,200}?-->\s*)?<(?:MPD|asx|smil|playlist|SmoothStreamingMedia)[\s>]|<\?wpl)/i;

const isPlaylist = (bytes: Uint8Array): boolean =>
  playlistMarks.test(beginningOf(bytes, 1_024).replace(/^ï»¿/, "").trimStart());

const beginningOf = (bytes: Uint8Array, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, bytes.length)).toString("latin1");

/** Encoders pad the audio with a little silence. */
export const paddedSeconds = 0.5;

/** Seconds of audio that are decoded of a file whose limit is `maxFileSeconds`. */
export const longestSound = (maxFileSeconds: number): number => maxFileSeconds + paddedSeconds;
