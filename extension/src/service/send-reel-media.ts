import { readAnswer } from "@reelscript/client/core";
import type { Transcription } from "@reelscript/contract";
import { peopleBasePath } from "@reelscript/contract/values";
import { reelAddress } from "../platform/place.ts";
import { notConnected, toTrouble, Trouble } from "./call.ts";
import { readConnection } from "./connection.ts";

/** `cached` alone when the service has the reel already; then nothing is charged. */
interface Sent {
  readonly cached: boolean;
  readonly transcription?: Transcription;
}

const takenTypes: ReadonlySet<string> = new Set([
  "video/mp4",
  "video/webm",
  "audio/mp4",
  "audio/webm",
  "audio/mpeg",
  "audio/ogg",
]);

/** Uploads a reel's media. `fetch` says nothing of how far an upload is, so this is the older way. Throws `Trouble`. */
export async function sendReelMedia(
  code: string,
  media: Blob,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Sent> {
  const connection = await readConnection();
  if (connection === undefined) throw notConnected();
  const { baseUrl, token } = connection;
  const query = new URLSearchParams({ url: reelAddress(code) });
  const request = new XMLHttpRequest();
  request.open("POST", `${baseUrl}${peopleBasePath}/reel-media?${query.toString()}`);
  request.setRequestHeader("authorization", `Bearer ${token}`);
  request.setRequestHeader("content-type", takenTypes.has(media.type) ? media.type : "application/octet-stream");
  return new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => total > 0 && onShare(loaded / total));
    request.addEventListener("error", () =>
      reject(new Trouble("unreachable", "The upload was interrupted. You weren't charged. Try again.")),
    );
    request.addEventListener("abort", () => reject(signal.reason as Error));
    signal.addEventListener("abort", () => request.abort());
    request.addEventListener("load", () => {
      try {
        resolve(readSent(request));
      } catch (error) {
        reject(toTrouble(error));
      }
    });
    request.send(media);
  });
}

function readSent(request: XMLHttpRequest): Sent {
  const headers = new Headers();
  for (const name of ["retry-after", "content-type", "x-request-id", "x-error-reason"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const response = new Response(null, { status: request.status, headers });
  return readAnswer({ response, text: request.responseText }, (body) => body as Sent | undefined);
}
