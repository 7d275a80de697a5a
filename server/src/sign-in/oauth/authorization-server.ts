import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../caller.ts";
import type { Guard } from "../sign-in-limit.ts";
import { exportJWK, generateKeyPair } from "jose";
import type { Configuration, errors as Errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import { networkOf } from "../../callers/network-of.ts";
import { markup } from "../../markup.ts";
import type { Needs } from "../../run/needs.ts";
import { loadProvider } from "./load-provider.ts";
import { page, pageHeaders } from "../page.ts";
import { createArtifactAdapter } from "./artifact-adapter.ts";
import { limitMetadata } from "./program-metadata.ts";

export const scopes = ["read", "full"] as const;
export const consentPath = "/oauth/consent";
export const oauthPaths = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
} as const;

const accessTokenSeconds = 60 * 60;
/** Of each refresh token, which is good for one use: a program that isn't used for so long is disconnected. */
const refreshTokenSeconds = 60 * 24 * 60 * 60;
/** Until a person has signed in and answered, and until the program has fetched its first tokens. */
export const answerSeconds = 30 * 60;
const codeSeconds = 60;
/** Of one program: each leaves a row for as long as a refresh token lasts. An access token lasts an hour. */
const refreshesPerHour = 60;
/** Documents of programs that one network may have us fetch in an hour. */
const documentsPerHour = 60;

export type AuthorizationServerNeeds = Needs<
  "oauthArtifacts" | "keys" | "rateLimits" | "fetchDocument" | "clock" | "baseUrl" | "onFault"
>;

/** The address that tokens are for. */
export const mcpAddress = (baseUrl: string): string => `${baseUrl}/mcp`;

/** All that it remembers is in the database. Opened when it is first needed, because our own address may be known only then, and again after a failure. */
export function createAuthorizationServer(needs: AuthorizationServerNeeds): () => Promise<Provider> {
  let opened: Promise<Provider> | undefined;
  return () =>
    (opened ??= open(needs).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}

async function open(needs: AuthorizationServerNeeds): Promise<Provider> {
  const baseUrl = needs.baseUrl();
  const { protocol, port } = new URL(baseUrl);
  const cookieName = (name: string): string =>
    `reelscript_program_${name}${protocol === "https:" || port === "" ? "" : `_${port}`}`;
  // It signs nothing, but doesn't start without a key.
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig" };
  const provider = await loadProvider(baseUrl, (errors) => ({
    adapter: createArtifactAdapter(needs, () => new errors.InvalidGrant("already used")),
    jwks: { keys: [jwk] },
    cookies: {
      names: { session: cookieName("session"), interaction: cookieName("interaction"), resume: cookieName("resume") },
    },
    routes: oauthPaths,
    interactions: { url: (_context, { uid }) => `${consentPath}/${uid}` },
    clientAuthMethods: ["none"],
    responseTypes: ["code"],
    scopes: [],
    pkce: { required: () => true },
    ttl: {
      Session: 60,
      Interaction: answerSeconds,
      Grant: answerSeconds,
      AuthorizationCode: codeSeconds,
      AccessToken: accessTokenSeconds,
      RefreshToken: refreshTokenSeconds,
    },
    formats: { bitsOfOpaqueRandomness: 256 },
    expiresWithSession: async () => false,
    issueRefreshToken: async () => true,
    rotateRefreshToken: refreshesOf(needs, errors),
    allowOmittingSingleRegisteredRedirectUri: false,
    async findAccount(_context, keyId) {
      const [live] = await needs.keys.live([keyId], needs.clock.now());
      return live === undefined ? undefined : { accountId: keyId, claims: () => ({ sub: keyId }) };
    },
    clientBasedCORS: (_context, origin, client) =>
      (client.redirectUris ?? []).some((address) => new URL(address).origin === origin),
    extraClientMetadata: {
      properties: ["redirect_uris"],
      validator: (_context, _name, _value, metadata) =>
        limitMetadata(
          metadata as Record<string, unknown>,
          (reason) => new errors.InvalidClientMetadata(reason, "invalid"),
        ),
    },
    fetch: async (url, options) => {
      const signal = options?.signal ?? AbortSignal.timeout(1_000);
      const { status, cacheControl, bytes } = await needs.fetchDocument(new URL(url as string), signal);
      const headers: Record<string, string> = cacheControl === undefined ? {} : { "cache-control": cacheControl };
      return new Response(new Uint8Array(bytes), { status, headers });
    },
    features: featuresOf(needs, errors),
    renderError(context, { error_description: text }) {
      for (const [name, value] of Object.entries(pageHeaders)) context.set(name, value);
      context.body = page(
        "The program could not be connected",
        markup`<p>Go back to it and connect it again. It was refused because: ${text ?? "its request was not understood"}.</p>`,
      );
    },
  }));
  provider.on("server_error", (_context, error) => needs.onFault(error, "oauth"));
  return provider;
}

/** Asked for before the former token is used up, so that a program that is refused has not lost it. */
function refreshesOf(
  { rateLimits, clock }: AuthorizationServerNeeds,
  { TemporarilyUnavailable }: typeof Errors,
): (context: KoaContextWithOIDC) => Promise<boolean> {
  return async (context) => {
    const bucket = { name: "address", limit: refreshesPerHour } as const;
    const subject = `program-refresh:${context.oidc.entities.Account?.accountId ?? ""}`;
    const { taken, states } = await rateLimits.take(subject, [bucket], clock.now());
    if (taken) return true;
    context.set("retry-after", String(Math.max(1, Math.ceil(states[0]?.resetSeconds ?? 0))));
    throw Object.assign(new TemporarilyUnavailable("Too many tokens for this program."), { statusCode: 429 });
  };
}

function featuresOf(
  { rateLimits, clock, baseUrl }: AuthorizationServerNeeds,
  errors: typeof Errors,
): Configuration["features"] {
  const off = { enabled: false };
  return {
    devInteractions: off,
    rpInitiatedLogout: off,
    userinfo: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    revocation: { enabled: true },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      async allowFetch(context: KoaContextWithOIDC | undefined) {
        // Without a request it is the page of somebody whose request was counted.
        if (context === undefined) return true;
        const bucket = { name: "address", limit: documentsPerHour } as const;
        const subject = `program-document:${networkOf(context.ip)}`;
        return (await rateLimits.take(subject, [bucket], clock.now())).taken;
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => mcpAddress(baseUrl()),
      useGrantedResource: async () => true,
      getResourceServerInfo(_context, resource) {
        // The address may carry what it asks of us, such as tools.
        if (resource.split("?", 1)[0] !== mcpAddress(baseUrl())) throw new errors.InvalidTarget();
        return {
          scope: scopes.join(" "),
          audience: mcpAddress(baseUrl()),
          accessTokenTTL: accessTokenSeconds,
          accessTokenFormat: "opaque",
        };
      },
    },
  };
}

export interface OauthNeeds extends AuthorizationServerNeeds {
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Gives a request its content type back, which the door hides from the framework. */
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
  readonly guard: Guard;
  readonly uncounted: Guard;
}
