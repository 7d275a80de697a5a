import type { ServerResponse } from "node:http";

/** What a door of the stand-in says, before a wall changes it. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(value),
});

export const htmlAnswer = (body: string, status = 200): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});

export const redirectAnswer = (location: string): Answer => ({ status: 302, headers: { location }, body: "" });

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const length = Buffer.byteLength(answer.body);
  response.writeHead(answer.status, { ...answer.headers, "content-length": String(length) });
  response.end(answer.body);
}
