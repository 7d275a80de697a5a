import type { FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Caller } from "../../rules/caller.ts";
import type { CountFirst, Guard } from "../sign-in-limit.ts";
import { exportJWK, generateKeyPair } from "jose";
import type { Configuration, errors as Errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import { networkOf } from "../../callers/authenticate.ts";
import { markup } from "../../markup/markup.ts";
import type { OauthArtifacts, Keys, RateLimits, FetchDocument, Clock } from "../../ports.ts";
import { loadProvider, type MayLeave, type Said } from "./load-provider.ts";
import { page, pageHeaders } from "../../markup/page.ts";
import { closedPolicy } from "../../markup/scriptless-policy.ts";
import { hashOf } from "../secret.ts";
import { createArtifactAdapter } from "./artifact-adapter.ts";
import { createCountFailed } from "./count-failed.ts";
import { createOwnAddresses, type OwnAddresses } from "./own-addresses.ts";
import { programIdOf } from "./registered-program.ts";
import { limitMetadata, nameOf } from "./program-metadata.ts";

export const scopes = ["read", "full"] as const;
export const consentPath = "/oauth/consent";
export const oauthPaths = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
} as const;

const accessTokenSeconds = 60 * 60;
/** Lifetime of a refresh token, which works once: a program that is idle for longer is disconnected. */
const refreshTokenSeconds = 60 * 24 * 60 * 60;
/** Time for a person to sign in and answer, and for the program to fetch its first tokens. */
export const answerSeconds = 30 * 60;
const codeSeconds = 60;
/** Limit per program: each refresh leaves a row for as long as a refresh token lasts. An access token lasts an hour. */
const refreshesPerHour = 60;
/** Documents of programs that one network, or one signed-in person, may make us fetch in an hour. */
const documentsPerHour = 60;

export interface AuthorizationServerNeeds {
  readonly oauthArtifacts: OauthArtifacts;
  readonly keys: Keys;
  readonly rateLimits: RateLimits;
  readonly fetchDocument: FetchDocument;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** Receives errors that are our fault. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Further names under which this service is reached. */
  readonly ownHosts: readonly string[];
  /** Failed requests of programs from one network in any hour. */
  readonly programLimit: number;
}

interface ServerNeeds extends AuthorizationServerNeeds {
  /** The id of the account that is signed in at the request's browser. */
  readonly accountOf: (request: IncomingMessage) => string | undefined;
}

/** The address that tokens are for. */
export const mcpAddress = (baseUrl: string): string => `${baseUrl}/mcp`;

/**
 * All state is in the database. Opened on first use, because our own address may be known only then, and again after a failure.
 */
export function createAuthorizationServer(needs: ServerNeeds): () => Promise<Provider> {
  let opened: Promise<Provider> | undefined;
  return () =>
    (opened ??= open(needs).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}

async function open(needs: ServerNeeds): Promise<Provider> {
  const baseUrl = needs.baseUrl();
  const ownAddresses = createOwnAddresses(baseUrl, needs.ownHosts);
  const { protocol, port } = new URL(baseUrl);
  const cookieName = (name: string): string =>
    `reelscript_program_${name}${protocol === "https:" || port === "" ? "" : `_${port}`}`;
  // It signs nothing, but doesn't start without a key.
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig" };
  const configure = (errors: typeof Errors): Configuration => ({
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
          ownAddresses,
          (reason) => new errors.InvalidClientMetadata(reason, "invalid"),
        ),
    },
    fetch: async (url, options) => {
      const signal = options?.signal ?? AbortSignal.timeout(1_000);
      const { status, cacheControl, bytes } = await needs.fetchDocument(new URL(url as string), signal);
      const headers: Record<string, string> = cacheControl === undefined ? {} : { "cache-control": cacheControl };
      return new Response(new Uint8Array(bytes), { status, headers });
    },
    features: featuresOf(needs, ownAddresses, errors),
    renderError: answerHere,
  });
  const provider = await loadProvider(baseUrl, configure, { mayLeave: createMayLeave(needs), answerHere });
  provider.use(keepPolicy);
  provider.use(
    createCountFailed({
      rateLimits: needs.rateLimits,
      clock: needs.clock,
      limit: needs.programLimit,
      paths: [oauthPaths.token, oauthPaths.revocation, oauthPaths.registration],
    }),
  );
  provider.on("server_error", (_context, error) => needs.onFault(error, "oauth"));
  (provider as NodeJS.EventEmitter).on("error", (error: unknown) => needs.onFault(error, "oauth"));
  return provider;
}

async function keepPolicy(context: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
  const name = "content-security-policy";
  await next();
  if (context.response.get(name) !== pageHeaders[name]) context.set(name, closedPolicy);
}

export const refusalPage = (reason: string): string =>
  page(
    "The program could not be connected",
    markup`<p>Go back to it and connect it again. It was refused because: ${reason}.</p>`,
  );

function answerHere(context: KoaContextWithOIDC, { error_description: text }: Said): void {
  for (const [name, value] of Object.entries(pageHeaders)) context.set(name, value);
  context.body = refusalPage(typeof text === "string" ? text : "its request was not understood");
}

/** Strangers register any address: before a person has answered, errors are sent only to a program that the person allowed before. */
function createMayLeave({ oauthArtifacts, clock, accountOf }: ServerNeeds): MayLeave {
  return async ({ oidc, req }, { error }) => {
    if (error === undefined || oidc.entities.Interaction?.result !== undefined) return true;
    const accountId = accountOf(req);
    const clientId = oidc.client?.clientId;
    return (
      accountId !== undefined && clientId !== undefined && oauthArtifacts.isAllowed(accountId, clientId, clock.now())
    );
  };
}

/** Runs before the old token is used up, so that a refused program keeps it. */
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

/**
 * True if a request has a code or token of the program. Its document is then fetched even if the network's limit is used up.
 */
async function holdsCredential(
  { oauthArtifacts, clock }: Pick<ServerNeeds, "oauthArtifacts" | "clock">,
  { oidc }: KoaContextWithOIDC,
  clientId: string,
): Promise<boolean> {
  const { refresh_token: refresh, code, token } = oidc.params ?? {};
  const brought = [
    ["RefreshToken", refresh ?? token],
    ["AuthorizationCode", code],
    ["AccessToken", token],
  ] as const;
  for (const [kind, secret] of brought) {
    if (typeof secret !== "string") continue;
    const artifact = await oauthArtifacts.find(kind, hashOf(secret), clock.now());
    if (artifact !== undefined && (artifact.payload as { clientId?: unknown }).clientId === clientId) return true;
  }
  return false;
}

/** All of the library's features are listed here, so that nothing is on just because nobody turned it off. */
function featuresOf(needs: ServerNeeds, ownAddresses: OwnAddresses, errors: typeof Errors): Configuration["features"] {
  const { rateLimits, clock, baseUrl, accountOf } = needs;
  const off = { enabled: false };
  return {
    devInteractions: off,
    rpInitiatedLogout: off,
    userinfo: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    revocation: {
      enabled: true,
      allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
    },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      idFactory: (context) => idOf(context.oidc.body ?? {}, ownAddresses),
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      async allowFetch(context: KoaContextWithOIDC | undefined, clientId: string) {
        if (ownAddresses.include(clientId)) return false;
        // Without a request, this is for a page whose request was already counted.
        if (context === undefined || (await holdsCredential(needs, context, clientId))) return true;
        const bucket = { name: "address", limit: documentsPerHour } as const;
        const subject = `program-document:${accountOf(context.req) ?? networkOf(context.ip)}`;
        return (await rateLimits.take(subject, [bucket], clock.now())).taken;
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => mcpAddress(baseUrl()),
      useGrantedResource: async () => true,
      getResourceServerInfo(_context, resource) {
        // The address may contain requests to us, such as tools.
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

const idOf = (
  { client_name: name, redirect_uris: addresses }: Record<string, unknown>,
  ownAddresses: OwnAddresses,
): string => programIdOf(nameOf(name, ownAddresses), Array.isArray(addresses) ? addresses.map(String) : []);

export interface OauthNeeds extends AuthorizationServerNeeds {
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Gives a request its content type back, which the door hides from the framework. */
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
  readonly uncounted: Guard;
  readonly countFirst: CountFirst;
  /** Sends a person to sign in and then to a page of ours, without counting. */
  readonly beginSignIn: (request: FastifyRequest, reply: FastifyReply, returnTo: string) => Promise<FastifyReply>;
}
