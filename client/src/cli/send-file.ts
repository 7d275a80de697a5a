import type { FileHandle } from "node:fs/promises";
import { CallError } from "../call-error.ts";
import type { ErrorCode, ErrorReason } from "@reelscript/contract/values";
import { createProxiedFetch, findProxy } from "./proxy.ts";
import type { Surroundings } from "./surroundings.ts";

/** Bytes of each request: few enough that a slow connection finishes one, and many enough that a fast one hardly waits. */
const requestBytes = 4 * 1_048_576;
/** Consecutive failures without a byte in between. */
const mostFailures = 8;
const longestPause = 20_000;

/** Requests that send or get media, through the proxy that the environment names. */
export function createMediaFetch(url: string, environment: Surroundings["environment"]): typeof globalThis.fetch {
  const proxy = findProxy(new URL(url), environment);
  return proxy === undefined ? globalThis.fetch : createProxiedFetch(proxy);
}

/** Sends a file by tus 1.0 from the byte at which its upload is, and again from there whenever the connection breaks. */
export async function sendFile({
  url,
  file,
  size,
  fetch,
  signal,
  say,
  onShare,
}: {
  readonly url: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  readonly onShare: (share: number) => void;
}): Promise<void> {
  let offset: number | undefined;
  for (let failures = 0; offset === undefined || offset < size;)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one part after another
      const next: number =
        offset === undefined
          ? await offsetOf(url, fetch, signal)
          : await sendPart({ url, file, offset, fetch, signal });
      if (next > (offset ?? 0)) failures = 0;
      offset = next;
      onShare(offset / size);
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      if (!isPassing(error) || failures > mostFailures) throw error;
      const pause = Math.min(longestPause, 500 * 2 ** (failures - 1));
      if (failures > 1) say(`The connection broke off. Continuing in ${Math.ceil(pause / 1_000)} s.`);
      // oxlint-disable-next-line no-await-in-loop -- waits for the connection
      await new Promise((resolve) => setTimeout(resolve, pause));
      offset = undefined;
    }
}

const version = { "tus-resumable": "1.0.0" };

/** True after a lost connection, while another request still writes, and for errors that the service calls temporary. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof CallError) || ["inProgress", "rateLimited", "unavailable", "internalError"].includes(error.code);

async function offsetOf(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { method: "HEAD", headers: version, signal });
  if (!response.ok) throw await refusalOf(await fetch(url, { signal }), response.status);
  return offsetIn(response);
}

async function sendPart({
  url,
  file,
  offset,
  fetch,
  signal,
}: Pick<Parameters<typeof sendFile>[0], "url" | "file" | "fetch" | "signal"> & {
  readonly offset: number;
}): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(requestBytes), 0, requestBytes, offset);
  const response = await fetch(url, {
    method: "PATCH",
    headers: { ...version, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
    body: buffer.subarray(0, bytesRead),
    signal,
  });
  if (!response.ok) throw await refusalOf(response, response.status);
  return offsetIn(response);
}

function offsetIn({ headers }: Response): number {
  const offset = Number(headers.get("upload-offset") ?? Number.NaN);
  if (!Number.isSafeInteger(offset)) throw new Error("the upload doesn't say how far it is");
  return offset;
}

/** The service's error, or that of an upload in its state. A wrong offset means that another request wrote meanwhile. */
async function refusalOf(response: Response, status: number): Promise<Error> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly error?: { readonly code: ErrorCode; readonly message: string; readonly reason?: ErrorReason };
  };
  if (body.error !== undefined)
    return new CallError(body.error.code, body.error.message, { reason: body.error.reason });
  if (status === 409) return new CallError("inProgress", "Another request continues this upload.");
  if (status < 500) return new CallError("notFound", "This upload doesn't exist any more. Run the command again.");
  return new Error(`the upload answered with ${status}`);
}
