import { setTimeout as pause } from "node:timers/promises";
import { gaveUp, unavailable } from "../whisper-error.ts";

export interface EndpointOptions {
  /** The base address that clients of such endpoints take, usually ending in /v1. */
  readonly baseUrl: string;
  /** Sent as a bearer token; local servers want none. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Seconds that one request may take. */
  readonly requestSeconds?: number | undefined;
  /** Longest wait before a request is made again; a server that asks for more is taken to be away. */
  readonly longestWaitSeconds?: number | undefined;
}

const attempts = 3;
const largestAnswerBytes = 16 * 1024 ** 2;
const worthAnotherTry = new Set([408, 409, 429, 500, 502, 503, 504]);

/** How servers answer a field that they don't know. */
const unknownField = new Set([400, 422]);

interface Refusal {
  readonly reason: string;
  readonly status?: number;
  /** `null`: another try would end the same way. */
  readonly waitSeconds: number | null;
}

/**
 * Sends a WAV file to an OpenAI-compatible endpoint and gives the parsed JSON of its answer. Throws `WhisperError`:
 * "unavailable" whose message never quotes what the server said (it may quote the key), or "aborted".
 */
export async function requestTranscription(
  options: EndpointOptions,
  wav: Uint8Array<ArrayBuffer>,
  language: string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  let fields = form(options.model, wav, language, ["segment", "word"]);
  let mayKnowNoWords = true;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(options, fields, signal, 2 ** (attempt - 1));
    if ("json" in answer) return answer.json;
    if (mayKnowNoWords && unknownField.has(answer.status ?? 0)) {
      mayKnowNoWords = false;
      fields = form(options.model, wav, language, []);
      continue;
    }
    const { reason, waitSeconds } = answer;
    if (waitSeconds === null || attempt === attempts || waitSeconds > (options.longestWaitSeconds ?? 30))
      throw unavailable(`The transcription endpoint ${reason}.`);

    await pause(waitSeconds * 1000, undefined, { signal }).catch(() => {
      throw gaveUp();
    });
  }
}

async function send(
  options: EndpointOptions,
  fields: FormData,
  signal: AbortSignal,
  usualWaitSeconds: number,
): Promise<{ readonly json: unknown } | Refusal> {
  const fetch = options.fetch ?? globalThis.fetch;
  const timeout = AbortSignal.timeout((options.requestSeconds ?? 180) * 1000);
  try {
    const response = await fetch(transcriptionUrl(options.baseUrl), {
      method: "POST",
      headers: options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` },
      body: fields,
      // A redirect would take the key elsewhere.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return refusal(response, usualWaitSeconds);
    }
    const json = parse(await boundedText(response));
    return json === undefined ? { reason: "gave an answer that is not JSON", waitSeconds: null } : { json };
  } catch {
    if (signal.aborted) throw gaveUp();
    if (timeout.aborted) return { reason: "did not answer in time", waitSeconds: null };
    return { reason: "could not be reached", waitSeconds: usualWaitSeconds };
  }
}

/** Throws `WhisperError` if the base URL is not a plain http(s) URL. */
export function transcriptionUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(`${baseUrl.replace(/\/+$/, "")}/audio/transcriptions`) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw unavailable("The base URL of the transcription endpoint must be a plain http(s) URL.");

  return url;
}

function form(
  model: string,
  wav: Uint8Array<ArrayBuffer>,
  language: string | undefined,
  granularities: readonly string[],
): FormData {
  const fields = new FormData();
  fields.set("file", new Blob([wav], { type: "audio/wav" }), "audio.wav");
  fields.set("model", model);
  fields.set("response_format", "verbose_json");
  fields.set("temperature", "0");
  for (const granularity of granularities) fields.append("timestamp_granularities[]", granularity);
  if (language !== undefined) fields.set("language", language);
  return fields;
}

function refusal(response: Response, usualWaitSeconds: number): Refusal {
  const { status } = response;
  if (status === 401 || status === 403) return { reason: `refused the key (${status})`, waitSeconds: null };
  const reason = `answered ${status}`;
  if (!worthAnotherTry.has(status)) return { reason, waitSeconds: null, status };
  return { reason, waitSeconds: retryAfterSeconds(response.headers.get("retry-after")) ?? usualWaitSeconds };
}

function retryAfterSeconds(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > largestAnswerBytes) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
