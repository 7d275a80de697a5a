import { createServer } from "node:http";
import { listen } from "./listen.ts";

export interface Endpoint {
  readonly baseUrl: string;
  /** While it is true, every key is refused. */
  refusesKeys: boolean;
  readonly requests: { readonly authorization: string | undefined; readonly bytes: number }[];
  close(): Promise<void>;
}

/** An endpoint for OpenAI's transcription protocol, with prepared results. */
export async function startEndpoint(hears: {
  readonly text: string;
  readonly language: string;
  readonly seconds: number;
}): Promise<Endpoint> {
  const requests: Endpoint["requests"] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      requests.push({ authorization: request.headers.authorization, bytes: body.length });
      if (endpoint.refusesKeys) {
        response.writeHead(401).end("{}");
        return;
      }
      if (request.url !== "/v1/audio/transcriptions" || !body.includes("RIFF")) {
        response.writeHead(400).end("{}");
        return;
      }
      const segment = {
        id: 0,
        start: 0,
        end: hears.seconds,
        text: hears.text,
        avg_logprob: -0.2,
        no_speech_prob: 0.01,
        compression_ratio: 1.2,
      };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          task: "transcribe",
          language: hears.language,
          duration: hears.seconds,
          text: hears.text,
          segments: [segment],
        }),
      );
    });
  });
  const { origin } = await listen(server);
  const endpoint: Endpoint = {
    baseUrl: `${origin}/v1`,
    refusesKeys: false,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return endpoint;
}
