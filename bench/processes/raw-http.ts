import { once } from "node:events";
import net from "node:net";

interface Load {
  readonly port: number;
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  readonly seconds: number;
  readonly once?: boolean;
}
export interface Run {
  readonly answers: number;
  readonly seconds: number;
  /** How long each took, in milliseconds. */
  readonly times: readonly number[];
}

/**
 * Keep-alive connections that each send one prepared request after the other, as little as a client can do, so that the
 * machine's time goes to the server. Each connection sends one at least. With `once` each request is sent once, however long
 * it takes. Resolves with how many were answered in how many seconds, and how long each took, in milliseconds.
 */
export async function sendRequests({ port, requests, connections, seconds, once: isOnce = false }: Load): Promise<Run> {
  const from = performance.now();
  const until = from + seconds * 1_000;
  const mayGoOn = (next: number): boolean => (isOnce ? next < requests.length : performance.now() < until);
  const times = await Promise.all(
    Array.from({ length: connections }, (_, index) => oneConnection(port, requests, index, connections, mayGoOn)),
  );
  const all = times.flat();
  return { answers: all.length, seconds: (performance.now() - from) / 1_000, times: all };
}

async function oneConnection(
  port: number,
  requests: readonly Uint8Array[],
  first: number,
  step: number,
  mayGoOn: (next: number) => boolean,
): Promise<number[]> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let answers = 0;
  let sentAt = 0;
  const times: number[] = [];
  let received: Buffer = Buffer.alloc(0);
  const ended = new Promise<void>((resolve, reject) => {
    const send = (): void => {
      if (answers > 0 && !mayGoOn(first + answers * step)) {
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(requests[(first + answers * step) % requests.length]!);
    };
    socket.on("data", (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      const length = answerLength(received);
      if (length === undefined || received.length < length) return;
      if (!/^20[02]$/u.test(received.toString("latin1", 9, 12))) {
        reject(new Error(`a request was answered with ${received.toString("utf8").slice(0, 600)}`));
        return;
      }
      received = received.subarray(length);
      answers += 1;
      times.push(performance.now() - sentAt);
      send();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the connection")));
    send();
  });
  try {
    await ended;
  } finally {
    socket.destroy();
  }
  return times;
}

/** Bytes of the answer that `received` begins with; undefined while that is not known. */
function answerLength(received: Buffer): number | undefined {
  const head = received.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const headers = received.toString("latin1", 0, head).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/u.exec(headers)?.[1];
  if (length !== undefined) return head + 4 + Number(length);
  const end = received.indexOf("\r\n0\r\n\r\n", head);
  return end === -1 ? undefined : end + 7;
}

export type Headers = Readonly<Record<string, string>>;

/** The bytes of a request. */
export function requestBytes({
  method,
  path,
  headers,
  body,
}: {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Headers;
  readonly body?: unknown;
}): Uint8Array {
  const payload = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({
    host: "127.0.0.1",
    connection: "keep-alive",
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${payload}`);
}
