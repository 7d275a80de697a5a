import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock, Identities, RateLimits, Sessions, SignInAttempts } from "../ports.ts";
import { refuseCrossSite } from "../refuse-cross-site.ts";
import type { Caller } from "../caller.ts";
import { createCookies } from "./cookies.ts";
import { createAuthenticatePerson } from "./create-authenticate-person.ts";
import { createDevelopmentProvider, developmentIssuer } from "./development-provider.ts";
import { createIdentityProvider, SignInRefused, type ProviderSettings } from "./identity-provider.ts";
import { returnPath } from "./return-path.ts";
import { createSecret, hashOf, secretIn } from "./secret.ts";
import { serveDevelopmentProvider } from "./serve-development-provider.ts";
import { createSignInGuard, sendFailure } from "./sign-in-limit.ts";

/** The operator's identity provider, or the one for development. */
export type SignInSettings = ({ readonly kind: "provider" } & ProviderSettings) | { readonly kind: "development" };

interface Needs {
  readonly settings: SignInSettings;
  /** Requests of one network in any hour. */
  readonly limit: number;
  readonly identities: Identities;
  readonly signInAttempts: SignInAttempts;
  readonly sessions: Sessions;
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  /** The address that users see; asked for when it is needed, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  /** Whether requests come to that address, with no proxy between. */
  readonly direct: boolean;
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
  readonly onFault: (error: unknown, where: string) => void;
  readonly onNotice: (error: unknown, where: string) => void;
}

interface SignIn {
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Adds the routes. */
  serve(app: FastifyInstance): void;
}

const attemptSeconds = 10 * 60;
const sessionSeconds = 30 * 24 * 60 * 60;
const browserLength = 400;
const signInPage = "/app/sign-in";
const callbackPath = "/auth/callback";

type Query = Readonly<Record<string, unknown>>;

/** The door where people sign in and out. */
export function createSignIn(needs: Needs): SignIn {
  const { settings, identities, signInAttempts, sessions, clock, baseUrl, onFault, onNotice } = needs;
  const cookies = createCookies(baseUrl);
  const guard = createSignInGuard({ ...needs });
  const development = settings.kind === "development" ? createDevelopmentProvider(baseUrl) : undefined;
  const provider = createIdentityProvider({
    settings: () => (settings.kind === "provider" ? settings : development!.settings()),
    clock,
    onNotice,
  });
  const goTo = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(`${baseUrl()}${path}`, 303);
  const goBack = (reply: FastifyReply, error: "expired" | "provider" | "refused", returnTo: string): FastifyReply =>
    goTo(reply, `${signInPage}?${new URLSearchParams({ error, return_to: returnTo }).toString()}`);

  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const returnTo = returnPath((request.query as Query).return_to);
    // A cookie that is given at one of our names is not there when the person comes back to another.
    if (needs.direct && request.headers.host !== new URL(baseUrl()).host)
      return goTo(reply, `/auth/login?${new URLSearchParams({ return_to: returnTo }).toString()}`);
    const browser = cookies.read(request, "signIn") ?? createSecret();
    const asked = { state: createSecret(), nonce: createSecret(), verifier: createSecret() };
    const url = await provider.authorizationUrl(asked, `${baseUrl()}${callbackPath}`).catch((error: unknown) => {
      onNotice(error, "identity provider");
    });
    if (url === undefined) return goBack(reply, "provider", returnTo);
    await signInAttempts.create({
      stateHash: hashOf(asked.state),
      browserHash: hashOf(browser),
      verifier: asked.verifier,
      nonce: asked.nonce,
      returnTo,
      expiresAt: after(clock.now(), attemptSeconds),
    });
    cookies.give(reply, "signIn", browser, attemptSeconds);
    return reply.redirect(url, 303);
  }

  async function finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = secretIn((request.query as Query).state);
    const browser = cookies.read(request, "signIn");
    const attempt = state && browser && (await signInAttempts.take(hashOf(state), hashOf(browser), clock.now()));
    if (!attempt) return goBack(reply, "expired", returnPath(undefined));
    const { verifier, nonce, returnTo } = attempt;
    const { search } = new URL(request.url, baseUrl());
    const claims = await provider
      .claimsOf(search, { state, nonce, verifier }, `${baseUrl()}${callbackPath}`)
      .catch((error: unknown) => {
        onNotice(error, "identity provider");
        return error instanceof SignInRefused ? ("refused" as const) : ("provider" as const);
      });
    if (typeof claims === "string") return goBack(reply, claims, returnTo);

    const { subject, email, name, idToken } = claims;
    const issuer = development ? developmentIssuer : claims.issuer;
    const now = clock.now();
    const account = await identities.signIn({ issuer, subject, email, name, now });
    const former = cookies.read(request, "session");
    if (former !== undefined) await sessions.end(hashOf(former));
    const value = createSecret();
    await sessions.create({
      accountId: account.id,
      hash: hashOf(value),
      browser: request.headers["user-agent"]?.slice(0, browserLength) ?? null,
      idToken: development ? null : idToken,
      expiresAt: after(now, sessionSeconds),
      now,
    });
    cookies.give(reply, "session", value, sessionSeconds);
    return goTo(reply, returnTo);
  }

  /** Ends the session here and says where the browser goes on to: to the provider's own sign-out when there is one. */
  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    refuseCrossSite(request, baseUrl());
    const value = cookies.read(request, "session");
    const ended = value && (await sessions.end(hashOf(value)));
    cookies.clear(reply, "session");
    const home = `${baseUrl()}${signInPage}`;
    const location = (ended && ended.idToken && (await provider.endSessionUrl(ended.idToken, home))) || home;
    if (request.headers.accept?.includes("application/json")) return reply.send({ location });
    return reply.redirect(location, 303);
  }

  return {
    authenticatePerson: createAuthenticatePerson({ sessions, cookies, clock }),
    serve(app) {
      app.get("/auth/login", guard(begin));
      app.get(callbackPath, guard(finish));
      app.post("/auth/logout", (request, reply) =>
        signOut(request, reply).catch((error: unknown) => sendFailure(reply, error, onFault)),
      );
      if (development) serveDevelopmentProvider(app, { ...needs, provider: development, guard });
    },
  };
}

const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1_000);
