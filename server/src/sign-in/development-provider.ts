import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { exportJWK, generateKeyPair } from "jose";
import type { Configuration, Provider } from "oidc-provider";
import type { ProviderSettings } from "./identity-provider.ts";
import { noticePage, pageHeaders } from "./page.ts";

/** Under which its identities are stored: where it listens may change, who somebody is must not. */
export const developmentIssuer = "development";

/** Whom its page proposes. */
export const developmentPerson = "developer@example.com";

export const providerPath = "/dev-idp";
export const personPath = "/dev-login";

export interface DevelopmentProvider {
  /** What our own side of the sign-in needs to know of it. */
  settings(): Promise<ProviderSettings>;
  /** Answers a request below its path. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Whether the browser is about to say who it is. */
  asks(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Takes the browser's word for it and says where it goes on. */
  accept(email: string, request: FastifyRequest, reply: FastifyReply): Promise<string>;
}

/**
 * A real OpenID Connect provider that asks for no password: whoever reaches it can be anyone. Made when it is first
 * needed, because our own address may be known only then; what it remembers is gone with the process.
 */
export function createDevelopmentProvider(baseUrl: () => string): DevelopmentProvider {
  const client = {
    issuer: () => `${baseUrl()}${providerPath}`,
    id: "reelscript",
    secret: randomBytes(32).toString("base64url"),
  };
  let made: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> =>
    (made ??= create().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));

  /** Services on one machine share their cookies, so the name tells the port. */
  const cookieName = (name: string): string => `reelscript_development_${name}_${new URL(baseUrl()).port}`;

  async function create(): Promise<Provider> {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const configuration: Configuration = {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [`${baseUrl()}/auth/callback`],
          response_types: ["code"],
          grant_types: ["authorization_code"],
          token_endpoint_auth_method: "client_secret_basic",
          id_token_signed_response_alg: "ES256",
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "development" }] },
      cookies: {
        keys: [randomBytes(32).toString("base64url")],
        names: {
          session: cookieName("session"),
          interaction: cookieName("interaction"),
          resume: cookieName("resume"),
        },
      },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
      interactions: { url: (_context, { uid }) => `${personPath}/${uid}` },
      ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, IdToken: 600, AccessToken: 600, AuthorizationCode: 60 },
      findAccount: (_context, email) => ({
        accountId: email,
        claims: () => ({ sub: email, email, email_verified: true, name: nameIn(email) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
      renderError: (context) => {
        for (const [name, value] of Object.entries(pageHeaders)) context.set(name, value);
        context.body = expiredPage;
      },
    };
    return quietly(async () => {
      const { Provider: OidcProvider } = await import("oidc-provider");
      const created = new OidcProvider(client.issuer(), configuration);
      created.proxy = true;
      return created;
    });
  }

  /**
   * The provider reads its own address from the request; it is the one that users see, whatever a proxy made of it. It is
   * shown no session of its own, so that it asks each time, and a browser may sign in as one person after another.
   */
  function asSeen({ raw }: FastifyRequest): FastifyRequest["raw"] {
    const { host, protocol } = new URL(baseUrl());
    raw.headers.host = host;
    raw.headers["x-forwarded-host"] = host;
    raw.headers.cookie = (raw.headers.cookie ?? "")
      .split(/;\s*/)
      .filter((pair) => !pair.startsWith(cookieName("session")))
      .join("; ");
    raw.headers["x-forwarded-proto"] = protocol.replace(":", "");
    return raw;
  }

  return {
    settings: async () => ({ issuer: client.issuer(), clientId: client.id, clientSecret: client.secret }),
    async answer(request, reply) {
      const handle = (await provider()).callback();
      const raw = asSeen(request);
      const path = raw.url ?? "";
      Object.assign(raw, { originalUrl: path, url: path.slice(providerPath.length) });
      reply.hijack();
      reply.raw
        .setHeader("x-request-id", request.id)
        .setHeader("x-content-type-options", "nosniff")
        .setHeader("cache-control", "no-store");
      await handle(raw, reply.raw);
    },
    async asks(request, reply) {
      return (await provider()).interactionDetails(asSeen(request), reply.raw).then(
        () => true,
        () => false,
      );
    },
    async accept(email, request, reply) {
      const result = { login: { accountId: email } };
      return (await provider()).interactionResult(asSeen(request), reply.raw, result, {
        mergeWithLastSubmission: false,
      });
    },
  };
}

export const expiredPage = noticePage(
  "This sign-in has expired",
  "It was open for too long, was finished before, or began in another browser.",
  { href: "/auth/login", label: "Sign in again" },
);

const nameIn = (email: string): string => {
  const local = email.split("@")[0] ?? "";
  return local.charAt(0).toUpperCase() + local.slice(1);
};

/** The library warns of what is meant here: old runtimes, and that it keeps everything in memory. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { warn, info } = console;
  const silent = (): void => undefined;
  console.warn = silent;
  console.info = silent;
  try {
    return await work();
  } finally {
    console.warn = warn;
    console.info = info;
  }
}
