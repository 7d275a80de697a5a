import { ErrorEnvelope } from "@reelscript/contract";
import { expect } from "vitest";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at bodies of every shape
  readonly body: any;
}

interface Call {
  readonly key?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Sends one request to the REST door. A body that isn't a string is sent as JSON. */
export async function rest(
  url: string,
  path: string,
  { key, method, body, headers, signal }: Call = {},
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson(response) && text !== "" ? JSON.parse(text) : text || undefined,
  };
  expect(answer.headers.get("x-request-id"), "every answer carries a request id").toMatch(/^req_[0-9a-f]{24}$/);
  if (answer.status >= 400 && answer.body !== undefined)
    expect(answer.body).toEqual(ErrorEnvelope.strict().parse(answer.body));
  return answer;
}

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") === true;

export const transcribe = (url: string, key: string, reel: string, languageHint?: string): Promise<Answer> =>
  rest(url, "/transcribe", { key, body: { url: reel, ...(languageHint !== undefined && { languageHint }) } });

/** Requests a transcription without waiting for it, and returns its id. */
export async function transcribeLater(url: string, key: string, reel: string): Promise<string> {
  const answer = await rest(url, "/transcribe", { key, body: { url: reel }, headers: { prefer: "respond-async" } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.id;
}

export const used = async (url: string, key: string): Promise<number> =>
  (await rest(url, "/usage", { key })).body.transcriptions.used;
