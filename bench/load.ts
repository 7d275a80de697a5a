import http from "node:http";

export interface Request {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request, over a connection of its own unless an agent has one. */
export function ask(
  origin: string,
  { method = "GET", path, headers, body }: Request,
  agent: http.Agent | false = false,
): Promise<Answer> {
  const text = body && JSON.stringify(body);
  const contentHeaders = text && { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const request = http.request(`${origin}${path}`, { agent, method, headers: { ...headers, ...contentHeaders } });
    request.on("error", reject);
    request.on("response", (response) => {
      response
        .toArray()
        .then(
          (parts: Buffer[]) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
          reject,
        );
    });
    request.end(text);
  });
}

/** Calls `ask`; throws unless the response is 200 or 202. */
export async function askWell(origin: string, request: Request, agent?: http.Agent): Promise<Answer> {
  const answer = await ask(origin, request, agent);
  if (answer.status === 200 || answer.status === 202) return answer;
  throw new Error(`${request.path} was answered with ${answer.status}: ${answer.body.toString().slice(0, 600)}`);
}

/** Keep-alive connections that each send one request after the other; at least one. */
export async function sendRequests({
  origin,
  requests,
  connections,
  seconds,
}: {
  readonly origin: string;
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
}): Promise<{ readonly answers: number; readonly seconds: number }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const from = performance.now();
  const until = from + seconds * 1_000;
  let answers = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, first) => {
      for (let next = first; next === first || performance.now() < until; next += connections) {
        await askWell(origin, requests[next % requests.length]!, agent);
        answers += 1;
      }
    }),
  );
  agent.destroy();
  return { answers, seconds: (performance.now() - from) / 1_000 };
}
