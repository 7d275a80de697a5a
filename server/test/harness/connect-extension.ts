import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "./rest.ts";
import type { SignedIn } from "./sign-in.ts";

/** The origin of an extension's requests, as browsers write it. */
const extensionOrigin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";

interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface ConnectedExtension {
  readonly token: string;
  /** Sends a request with the token to the people's door. */
  readonly ask: (path: string, options?: AskOptions) => Promise<Answer>;
}

/** Sends one request below /app/api as an extension does; a body is JSON. */
export async function askAsExtension(
  url: string,
  path: string,
  { token, method, body, headers, signal }: AskOptions & { readonly token?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/app/api${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      origin: extensionOrigin,
      "sec-fetch-site": "none",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** The verifier stays in the extension; the challenge is sent. */
export function drawVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The code that results from the person's approval. */
export async function approve(person: SignedIn, challenge: string): Promise<string> {
  const { status, body } = await person.api("approveExtension", { challenge });
  expect(status).toBe(200);
  return body.code;
}

/** Connects an extension to a person's account. */
export async function connectExtension(
  { url }: { readonly url: string },
  person: SignedIn,
): Promise<ConnectedExtension> {
  const { verifier, challenge } = drawVerifier();
  const code = await approve(person, challenge);
  const { status, body } = await askAsExtension(url, "/extension/token", { body: { code, verifier } });
  expect([status, body.account?.id]).toEqual([200, person.accountId]);
  return { token: body.token, ask: (path, options) => askAsExtension(url, path, { ...options, token: body.token }) };
}
