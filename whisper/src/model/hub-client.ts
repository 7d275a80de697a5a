import type { WhisperError } from "../whisper-error.ts";
import { gaveUp, unavailable } from "../whisper-error.ts";

export interface HubOptions {
  readonly hubUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Seconds without a byte after which a transfer counts as broken. */
  readonly idleSeconds: number;
}

/** The connection failed or broke off; another attempt may succeed. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

const mostRedirects = 5;
const largestJsonBytes = 8 * 1024 ** 2;

/** A transfer whose every byte is awaited with patience for `idleSeconds`. Throws `TransferError`, "aborted". */
export async function* bytesOf(response: Response, options: HubOptions): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const next = await patiently(
        () => reader.read(),
        options,
        () => void reader.cancel().catch(() => undefined),
      );
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Follows a few redirects, never from https to http. Throws `TransferError`, "aborted", or "unavailable". */
export async function hubGet(
  path: string,
  options: HubOptions,
  headers: Record<string, string> = {},
): Promise<Response> {
  let url = new URL(`${options.hubUrl.replace(/\/+$/, "")}/${path}`);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const stop = new AbortController();
    const response = await patiently(
      () => options.fetch(url, { headers, redirect: "manual", signal: AbortSignal.any([options.signal, stop.signal]) }),
      options,
      () => {
        stop.abort();
      },
    );
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = parse(response.headers.get("location"), url);
    if (next === null || !isAllowed(url, next)) throw hubFault("redirects to an address that is not followed");
    url = next;
  }
  throw hubFault("redirects too often");
}

/** The parsed answer, or `null` when the hub has nothing there for a visitor. */
export async function hubJson(path: string, options: HubOptions): Promise<unknown> {
  const response = await hubGet(path, options);
  if ([401, 403, 404].includes(response.status)) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new TransferError(`it answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(response, options)) {
    bytes += chunk.length;
    if (bytes > largestJsonBytes) throw hubFault("gave an answer that is too long");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw hubFault("gave an answer that is not JSON");
  }
}

async function patiently<Value>(work: () => Promise<Value>, options: HubOptions, giveUp: () => void): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new TransferError(`nothing came for ${options.idleSeconds} s`));
      giveUp();
    }, options.idleSeconds * 1000);
  });
  try {
    return await Promise.race([work(), idle]);
  } catch (error) {
    if (options.signal.aborted) throw gaveUp();
    throw error instanceof TransferError ? error : new TransferError("it could not be reached", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function parse(location: string | null, base: URL): URL | null {
  return location !== null && URL.canParse(location, base.href) ? new URL(location, base) : null;
}

function isAllowed(from: URL, to: URL): boolean {
  return to.protocol === "https:" || (to.protocol === "http:" && from.protocol === "http:");
}

const hubFault = (what: string): WhisperError => unavailable(`The model hub ${what}.`);
