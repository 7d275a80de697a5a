import { ApiError } from "../../../api/api-error.ts";
import type { Crop } from "./crop.ts";

/** Gives a file, or an image of another site, to the service, and answers its address there. Throws `ApiError`. */
export async function uploadImage(from: Blob | string, crop?: Crop): Promise<string> {
  const query = crop === undefined ? "" : `?crop=${[crop.left, crop.top, crop.width, crop.height].join(",")}`;
  const isFile = from instanceof Blob;
  const answer = await fetch(`/app/bio/images${query}`, {
    method: "POST",
    headers: { "content-type": isFile ? from.type || "application/octet-stream" : "application/json" },
    body: isFile ? from : JSON.stringify({ url: from }),
  }).catch(() => {
    throw new ApiError("unreachable", "Reelscript did not answer. Check the connection and try again.");
  });
  const body = (await answer.json().catch(() => ({}))) as { url?: string; error?: { message?: string } };
  if (answer.ok && body.url !== undefined) return body.url;
  throw new ApiError("unavailable", body.error?.message ?? "The image could not be uploaded. Try again.", {
    status: answer.status,
  });
}
