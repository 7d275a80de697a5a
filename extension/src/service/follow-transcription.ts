import type { Transcription } from "@reelscript/contract";
import { peopleBasePath } from "@reelscript/contract/values";
import { call, notConnected, toTrouble, Trouble } from "./call.ts";
import { readConnection } from "./connection.ts";

const pauseMilliseconds = 2_000;
/** Failed tries in a row after which the person sees an error. */
const mostTries = 8;

/** Listens to how a transcription goes until it has ended. A stream that breaks off is taken up again. Throws `Trouble`. */
export async function followTranscription(
  id: string,
  onChange: (transcription: Transcription) => void,
  signal: AbortSignal,
): Promise<Transcription> {
  for (let tries = 0; ; tries += 1) {
    try {
      const last = await listen(id, onChange, signal);
      if (last?.finishedAt !== undefined) return last;
      const now = await call("getTranscription", { id }, { signal });
      if (now.finishedAt !== undefined) return now;
      tries = 0;
      onChange(now);
    } catch (error) {
      signal.throwIfAborted();
      const trouble = toTrouble(error);
      const passes = ["unreachable", "unavailable", "rateLimited", "internalError"].includes(trouble.code);
      if (!passes || tries >= mostTries) throw trouble;
    }
    await pause(signal);
  }
}

/** Reads server-sent events with `fetch`, because an `EventSource` sends no token. */
async function listen(
  id: string,
  onChange: (transcription: Transcription) => void,
  signal: AbortSignal,
): Promise<Transcription | undefined> {
  const connection = await readConnection();
  if (connection === undefined) throw notConnected();
  const { baseUrl, token } = connection;
  const response = await fetch(`${baseUrl}${peopleBasePath}/transcriptions/${encodeURIComponent(id)}`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}` },
    credentials: "omit",
    redirect: "error",
    signal,
  });
  if (!response.ok || response.body === null) return undefined;
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return undefined;
  let waiting = "";
  let last: Transcription | undefined;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    waiting += part.value;
    if (waiting.length > 4_000_000) throw new Trouble("unavailable", "The answer was not one of Reelscript's.");
    const events = waiting.split("\n\n");
    waiting = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      last = JSON.parse(data) as Transcription;
      onChange(last);
    }
  }
  return last;
}

export const pause = async (signal: AbortSignal, milliseconds = pauseMilliseconds): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
