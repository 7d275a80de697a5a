import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A recognizer that takes the same time for every reel, and the settings of a process that uses it. */
export interface Recognizer {
  readonly settings: Readonly<Record<string, string>>;
  stop(): void;
}

/** Implements the protocol of OpenAI's transcriptions, with a constant result after so many milliseconds. */
export async function startRecognizer(milliseconds: number): Promise<Recognizer> {
  const text = "Had he married a more amiable woman, he might have been made still more respectable.";
  const segment = { id: 0, start: 0, end: 9, text, avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1.2 };
  const answer = JSON.stringify({ task: "transcribe", language: "english", duration: 15, text, segments: [segment] });
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      setTimeout(() => response.setHeader("content-type", "application/json").end(answer), milliseconds);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  return {
    settings: {
      TRANSCRIBER: "openai",
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: "bench",
    },
    stop: () => void server.close(),
  };
}
