import { CallError, readAnswer, type Output } from "@reelscript/client/core";
import { peopleRequests } from "@reelscript/contract/requests";
import { peopleBasePath, reelMediaTypes } from "@reelscript/contract/values";
import { reelAddress } from "../platform/page-location.ts";
import { connected } from "./call.ts";
import type { Connection } from "./connection.ts";

/** Only `cached` if the service already has the reel; then nothing is charged. */
type MediaAnswer = Output<"sendReelMedia">;

/** Uploads a reel's media. `fetch` doesn't report an upload's progress, so this uses the older API. Throws `CallError`. */
export const sendReelMedia = (
  code: string,
  media: Blob,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaAnswer> => connected((connection) => upload(connection, code, media, onShare, signal));

function upload(
  { baseUrl, token }: Connection,
  code: string,
  media: Blob,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaAnswer> {
  const query = new URLSearchParams({ url: reelAddress(code) });
  const request = new XMLHttpRequest();
  request.open("POST", `${baseUrl}${peopleBasePath}/reel-media?${query.toString()}`);
  request.setRequestHeader("authorization", `Bearer ${token}`);
  const type = reelMediaTypes.find((taken) => taken === media.type) ?? "application/octet-stream";
  request.setRequestHeader("content-type", type);
  return new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => total > 0 && onShare(loaded / total));
    request.addEventListener("error", () =>
      reject(new CallError("unreachable", "The upload was interrupted. You weren’t charged. Try again.")),
    );
    request.addEventListener("abort", () => reject(signal.reason as Error));
    signal.addEventListener("abort", () => request.abort());
    request.addEventListener("load", () => {
      try {
        resolve(readMediaAnswer(request));
      } catch (error) {
        reject(error as Error);
      }
    });
    request.send(media);
  });
}

function readMediaAnswer(request: XMLHttpRequest): MediaAnswer {
  const headers = new Headers();
  for (const name of ["retry-after", "content-type", "x-request-id", "x-error-reason"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const response = new Response(null, { status: request.status, headers });
  return readAnswer({ response, text: request.responseText }, peopleRequests.sendReelMedia);
}
