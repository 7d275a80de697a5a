import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { answerConsent, redirectUri } from "./connect-program.ts";
import type { SignedIn } from "./sign-in.ts";

/** A program that builds its own requests, so that tests can send requests that no library would. */
export interface RawProgram {
  readonly clientId: string;
  /** The URL that it opens in the browser. */
  authorizeUrl(changed?: Readonly<Record<string, string | null>>): string;
  /** Asks a person for consent and returns the code. */
  codeFrom(person: Pick<SignedIn, "jar">): Promise<string>;
  redeem(code: string, changed?: Readonly<Record<string, string>>, at?: string): Promise<TokenAnswer>;
  refresh(token: string, changed?: Readonly<Record<string, string>>): Promise<TokenAnswer>;
}

interface TokenAnswer {
  readonly status: number;
  readonly body: { access_token: string; refresh_token: string; error: string; scope: string };
}

export const register = (url: string, metadata: object): Promise<Response> =>
  fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirectUri], ...metadata }),
  });

export async function createRawProgram(url: string, clientId?: string, name = "Raw"): Promise<RawProgram> {
  const registered =
    clientId ?? ((await (await register(url, { client_name: name })).json()) as { client_id: string }).client_id;
  const verifier = randomBytes(32).toString("base64url");
  const ask = async (form: Record<string, string>, at = url): Promise<TokenAnswer> => {
    const body = new URLSearchParams({ client_id: registered, ...form });
    const answer = await fetch(`${at}/oauth/token`, { method: "POST", body });
    return { status: answer.status, body: (await answer.json()) as TokenAnswer["body"] };
  };
  const program: RawProgram = {
    clientId: registered,
    authorizeUrl(changed = {}) {
      const address = new URL(`${url}/oauth/authorize`);
      const parameters = {
        client_id: registered,
        response_type: "code",
        redirect_uri: redirectUri,
        state: "its state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        resource: `${url}/mcp`,
        ...changed,
      };
      for (const [name, value] of Object.entries(parameters)) if (value !== null) address.searchParams.set(name, value);
      return address.href;
    },
    async codeFrom(person) {
      const back = await answerConsent(person, program.authorizeUrl());
      return back.searchParams.get("code") ?? expect.fail(`no code: ${back.href}`);
    },
    redeem: (code, changed, at) =>
      ask(
        { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier, ...changed },
        at,
      ),
    refresh: (token, changed) => ask({ grant_type: "refresh_token", refresh_token: token, ...changed }),
  };
  return program;
}

/** The status of a request over MCP with a token. */
export async function statusWith(url: string, token: string, path = "/mcp"): Promise<number> {
  const answer = await fetch(`${url}${path}`, {
    method: path === "/mcp" ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    ...(path === "/mcp" && { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }) }),
  });
  await answer.text();
  return answer.status;
}
