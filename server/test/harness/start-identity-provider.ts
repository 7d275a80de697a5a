import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Provider } from "oidc-provider";
import { afterAll, beforeAll, vi } from "vitest";

interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface TestIdentityProvider {
  readonly issuer: string;
  /** Settings for a service whose people sign in there. */
  readonly signIn: {
    readonly kind: "provider";
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** The person who signs in; `null` denies access. */
  person: Person | null;
  /** Changes an ID token as an attacker in between, or the provider itself, might. */
  changeIdToken: ((token: string) => string | Promise<string>) | undefined;
  /** The token with other claims, signed by the provider. */
  signAgain(token: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Stops, and breaks all open connections. */
  stop(): Promise<void>;
  /** Starts again at the same address. */
  start(): Promise<void>;
}

/** An identity provider for the surrounding tests and a service at an address. */
export function identityProviderOfTests(service: () => string): TestIdentityProvider {
  const provider = createIdentityProvider(service);
  beforeAll(() => provider.start());
  afterAll(() => provider.stop());
  return provider;
}

/** A real OpenID Connect provider at its own address, where the person signs in without a form. */
function createIdentityProvider(service: () => string): TestIdentityProvider {
  const keys = generateKeyPair("ES256", { extractable: true });
  const clientId = "reelscript-test";
  const clientSecret = "a secret with : and % in it";
  let server: Server | undefined;
  let provider: Provider | undefined;
  let port = 0;
  const people = new Map<string, Person>();

  /** Created on the first request, when the service's address is known. */
  async function create(): Promise<Provider> {
    // The library warns about deliberate settings, such as keeping everything in memory.
    for (const method of ["warn", "info"] as const) vi.spyOn(console, method).mockReturnValue();
    const { Provider: OidcProvider } = await import("oidc-provider");
    const key = { ...(await exportJWK((await keys).privateKey)), alg: "ES256", use: "sig", kid: "test" };
    return new OidcProvider(`http://127.0.0.1:${port}`, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${service()}/auth/callback`],
          post_logout_redirect_uris: [`${service()}/app/sign-in`],
          id_token_signed_response_alg: "ES256",
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ["test"] },
      // E-mail and name are only at the userinfo endpoint, as the standard says for the code flow.
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  }

  const idp: TestIdentityProvider = {
    get issuer() {
      return `http://127.0.0.1:${port}`;
    },
    get signIn() {
      return { kind: "provider", issuer: idp.issuer, clientId, clientSecret } as const;
    },
    person: null,
    changeIdToken: undefined,
    signAgain: async (token, claims) =>
      new SignJWT({ ...decodeJwt(token), ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "test" })
        .sign((await keys).privateKey),
    async stop() {
      server?.closeAllConnections();
      server?.close();
      if (server) await once(server, "close");
      server = undefined;
    },
    async start() {
      // Loading it may take longer than the service waits for a response.
      await import("oidc-provider");
      server = createServer((request, response) => {
        void (async () => {
          provider ??= await create();
          if (request.url?.startsWith("/token")) changeTokens(response, idp);
          if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
          const { person } = idp;
          if (person) people.set(person.sub, person);
          const result = person
            ? { login: { accountId: person.sub } }
            : { error: "access_denied", error_description: "no" };
          return provider.interactionFinished(request, response, result);
        })();
      });
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
    },
  };
  return idp;
}

/** Replaces the ID token in the response if a test wants another. */
function changeTokens(response: ServerResponse, { changeIdToken: change }: TestIdentityProvider): void {
  const end = response.end.bind(response);
  response.end = ((body: string) => {
    const tokens = JSON.parse(body) as { id_token?: string };
    if (change === undefined || tokens.id_token === undefined) return end(body);
    void Promise.resolve(change(tokens.id_token)).then((token) => {
      const changed = JSON.stringify({ ...tokens, id_token: token });
      response.setHeader("content-length", Buffer.byteLength(changed));
      end(changed);
    });
    return response;
  }) as typeof response.end;
}
