import type { ServerResponse } from "node:http";

/** A response from one of the stand-in's doors. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How the body is sent; complete by default. */
  readonly manner?: Manner;
}

type Manner =
  /** Sends a byte now and then, as long as the caller stays. */
  | "drip"
  /** Sends half of it, then cuts the connection. */
  | "cut"
  /** Declares a wrong length. */
  | { readonly declares: number }
  /** Followed by this text repeatedly, as fast as the caller reads, until the caller leaves or `atMost` bytes are sent. */
  | { readonly repeats: Buffer; readonly atMost?: number };

export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(value),
});

export const failAnswer = (status: number, message: string): Answer => jsonAnswer({ message, status: "fail" }, status);

export const htmlAnswer = (body: string, status = 200): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});

export const textAnswer = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/plain" },
  body,
});

export const redirectAnswer = (location: string): Answer => ({ status: 302, headers: { location }, body: "" });

export function sendAnswer(response: ServerResponse, { status, headers, body, manner }: Answer): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const hangUp = (): void => void response.destroy();
  const start = (length: number | undefined) =>
    response.writeHead(status, { ...headers, ...(length !== undefined && { "content-length": String(length) }) });
  if (manner === undefined) start(bytes.length).end(bytes);
  else if (manner === "drip") dripBody(start(bytes.length), bytes);
  else if (manner === "cut") start(bytes.length).write(bytes.subarray(0, Math.floor(bytes.length / 2)), hangUp);
  else if ("declares" in manner) start(manner.declares).write(bytes, hangUp);
  else repeatBody(start(manner.atMost), bytes, manner.repeats, manner.atMost);
}

const dripMilliseconds = 200;

function dripBody(response: ServerResponse, body: Buffer): void {
  let sentBytes = 0;
  const timer = setInterval(() => {
    if (sentBytes < body.length) response.write(body.subarray(sentBytes, (sentBytes += 1)));
    else response.end();
  }, dripMilliseconds);
  response.on("close", () => clearInterval(timer));
}

function repeatBody(response: ServerResponse, head: Buffer, chunk: Buffer, atMost = Infinity): void {
  let left = atMost - head.length;
  let gone = false;
  response.on("close", () => (gone = true));
  const pump = () => {
    while (!gone && left > 0) {
      const part = chunk.subarray(0, Math.min(left, chunk.length));
      left -= part.length;
      if (!response.write(part)) {
        response.once("drain", () => setImmediate(pump));
        return;
      }
    }
    if (!gone) response.end();
  };
  response.write(head);
  pump();
}
