import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import { expect } from "vitest";
import type { SignedIn } from "./sign-in.ts";

export const redirectUri = "http://127.0.0.1:33418/callback";

/** The state of an MCP host, in memory. */
export interface Host extends OAuthClientProvider {
  tokens(): OAuthTokens | undefined;
  /** The URL that it opened in the browser. */
  asked(): URL;
}

export function createHost({
  name = "Test host",
  documentUrl,
  scope,
}: {
  readonly name?: string;
  /** URL of the document that identifies the host; without it the host registers. */
  readonly documentUrl?: string;
  readonly scope?: string;
} = {}): Host {
  let client: Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0] | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let sentTo: URL | undefined;
  return {
    redirectUrl: redirectUri,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: name, redirect_uris: [redirectUri], ...(scope !== undefined && { scope }) },
    state: () => "state-of-the-host",
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    asked: () => sentTo ?? expect.fail("the host asked nobody"),
  };
}

const openHost = (url: string, host: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp?auth=required`), { authProvider: host });

/** The token that the consent page's form returns. */
export const proofIn = (page: string): string => /name="proof" value="([\w-]{43})"/.exec(page)?.[1] ?? "";

/** Answers the page that a host opened in the browser, and returns the address that it redirects to. */
export async function answerConsent(
  { jar }: Pick<SignedIn, "jar">,
  address: URL | string,
  form: Readonly<Record<string, string>> = { answer: "allow", access: "full" },
): Promise<URL> {
  const page = await jar.follow(String(address));
  const text = await page.text();
  expect(page.status, text).toBe(200);
  const origin = new URL(page.at).origin;
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const leftTo = (next: string): boolean => new URL(next).origin !== origin;
  const back = await jar.follow(
    page.at,
    { method: "POST", headers, body: new URLSearchParams({ ...form, proof: proofIn(text) }) },
    leftTo,
  );
  return new URL(back.headers.get("location") ?? expect.fail(`no way back: ${back.status} ${await back.text()}`));
}

/** Connects a host for a person with the library that hosts use. */
export async function connectProgram(
  url: string,
  person: Pick<SignedIn, "jar">,
  host: Host = createHost(),
  form?: Readonly<Record<string, string>>,
  change?: (back: URLSearchParams) => void,
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const first = openHost(url, host);
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
  const back = await answerConsent(person, host.asked(), form);
  change?.(back.searchParams);
  await first.finishAuth(back.searchParams);
  const connected = new Client({ name: "test", version: "1.0.0" });
  await connected.connect(openHost(url, host));
  return connected;
}
