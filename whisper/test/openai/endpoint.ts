import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface ReceivedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly granularities: readonly unknown[];
  readonly fileName: string;
  readonly wav: DataView;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as it is. "hang" never answers, "drop" closes the connection. */
  readonly body: object | string;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
}

export const tone = (index: number): number => Math.sin(index / 9) * 0.5;

/** A segment as an endpoint reports it. */
export function segment(start: number, end: number, text: string, figures: object = {}): object {
  return { id: 0, start, end, text, tokens: [1, 2, 3], avg_logprob: -0.2, no_speech_prob: 0.01, ...figures };
}

/** Speaks the protocol: parses the multipart form and sends the given answers in turn, the last one again and again. */
export async function startEndpoint(...answers: readonly [Answer, ...Answer[]]): Promise<Endpoint> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((received) => {
      const answer = answers[Math.min(requests.push(received), answers.length) - 1];
      if (answer !== undefined) reply(response, answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const file = form.get("file");
  if (!(file instanceof File)) throw new Error("no file was sent");
  const fields = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    path: request.url ?? "",
    authorization: request.headers.authorization,
    fields: Object.fromEntries(fields),
    granularities: form.getAll("timestamp_granularities[]"),
    fileName: file.name,
    wav: new DataView(await file.arrayBuffer()),
  };
}

function reply(response: ServerResponse, { status = 200, headers = {}, body }: Answer): void {
  if (body === "hang") return;
  if (body === "drop") {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
