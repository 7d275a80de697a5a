import { ServiceError } from "@reelscript/contract";
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf, refuseCrossSite } from "../callers/authenticate.ts";
import type { Identities, Mailer, Passwords, Sessions, SignInAttempts } from "../ports.ts";
import type { Caller } from "../rules/caller.ts";
import { createNewId } from "../rules/new-id.ts";
import { suspended } from "../rules/refusals.ts";
import { createDevelopmentProvider } from "./development-provider.ts";
import {
  SignInRefused,
  createIdentityProvider,
  type IdentityProvider,
  type ProviderSettings,
} from "./identity-provider.ts";
import type { AuthorizationServerNeeds } from "./oauth/authorization-server.ts";
import { serveOauth } from "./oauth/serve-oauth.ts";
import { createPasswordProvider } from "./password/password-provider.ts";
import { returnPath } from "./return-path.ts";
import { after, createSecret, hashOf, seal, secretIn, sessionNamed, sessionValue, unseal } from "./secret.ts";
import { acceptsJson, createSignInGuard } from "./sign-in-limit.ts";

/** The operator's identity provider, passwords that this service keeps, or the provider for development. */
export type SignInSettings =
  | ({ readonly kind: "provider" } & ProviderSettings)
  | { readonly kind: "password" }
  | { readonly kind: "development" };

interface SignInNeeds extends AuthorizationServerNeeds {
  readonly identities: Identities;
  readonly signInAttempts: SignInAttempts;
  readonly passwords: Passwords;
  readonly mailer: Mailer | undefined;
  readonly sessions: Sessions;
  /** Receives errors with outside causes, such as an unavailable storage. */
  readonly onNotice: (error: unknown, where: string) => void;
  readonly settings: SignInSettings;
  /** Requests of one network in any hour. */
  readonly limit: number;
  /** True if no proxy is in front of the service. */
  readonly direct: boolean;
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
  /** Called when a person leaves for the provider and when the sign-in ends; the error says why the provider is unavailable. */
  readonly onSignIn: (outcome: SignInOutcome, error?: unknown) => void;
}

type SignInOutcome = "begun" | "signedIn" | SignInFailure;
type SignInFailure = "expired" | "refused" | "suspended" | "providerAway";

export interface SignIn {
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Adds the routes. */
  serve(app: FastifyInstance): void;
}

/** The door where people sign in and out. */
export function createSignIn(needs: SignInNeeds): SignIn {
  const parts = createSignInParts(needs);
  const { guard, uncounted, provider } = parts;
  const authenticatePerson = createAuthenticatePerson(parts);
  return {
    authenticatePerson,
    serve(app) {
      const beginSignInFor = beginSignIn(parts);
      app.get(
        "/auth/login",
        guard((request, reply) => beginSignInFor(request, reply, returnPath(queryOf(request).return_to))),
      );
      // The sign-in page shows fields for passwords, or leads to the provider.
      app.get("/auth/method", async () => ({
        method: needs.settings.kind,
        mails: needs.settings.kind === "password" && needs.mailer !== undefined,
      }));
      app.get(callbackPath, uncounted(finishSignIn(parts)));
      app.post("/auth/logout", uncounted(signOut(parts)));
      serveOauth(app, { ...parts, authenticatePerson, beginSignIn: beginSignInFor });
      provider.serve?.(app, { guard, callbackPath, authenticatePerson });
    },
  };
}

const signInPage = "/app/sign-in";
const callbackPath = "/auth/callback";

type SignInParts = ReturnType<typeof createSignInParts>;

/** Shared by signing in and signing out. */
function createSignInParts(needs: SignInNeeds) {
  const { sessions, baseUrl, onSignIn } = needs;
  const provider = openProvider(needs);
  const goTo = (reply: FastifyReply, path: string): FastifyReply => leadTo(reply, `${baseUrl()}${path}`);
  return {
    ...needs,
    ...createSignInGuard(needs),
    provider,
    cookies: createCookies(baseUrl),
    goTo,
    goBack: (reply: FastifyReply, failure: SignInFailure, returnTo: string, cause?: unknown): FastifyReply => {
      onSignIn(failure, cause);
      const error = failure === "providerAway" ? "provider" : failure;
      return goTo(reply, `${signInPage}?${new URLSearchParams({ error, return_to: returnTo }).toString()}`);
    },
    endSession: (value: string) => {
      const { id, hash } = sessionNamed(value);
      return sessions.end(hash, id);
    },
  };
}

function openProvider(needs: SignInNeeds): IdentityProvider {
  const { settings, passwords, mailer, signInAttempts, rateLimits, clock, baseUrl, onNotice } = needs;
  switch (settings.kind) {
    case "provider":
      return createIdentityProvider({ settings, clock, onNotice });
    case "password":
      return createPasswordProvider({ passwords, mailer, signInAttempts, rateLimits, clock, baseUrl, onNotice });
    case "development":
      return createDevelopmentProvider(baseUrl);
  }
}

/** Sends a browser to an address; scripts of the dashboard get it as JSON. */
const leadTo = (reply: FastifyReply, location: string): FastifyReply =>
  acceptsJson(reply.request) ? reply.send({ location }) : reply.redirect(location, 303);

const queryOf = (request: FastifyRequest): Readonly<Record<string, unknown>> =>
  request.query as Readonly<Record<string, unknown>>;

const attemptSeconds = 10 * 60;

/** Sends a person to the provider, and remembers the browser. */
function beginSignIn({
  provider,
  signInAttempts,
  cookies,
  clock,
  baseUrl,
  direct,
  onNotice,
  onSignIn,
  goTo,
  goBack,
}: SignInParts) {
  return async (request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<FastifyReply> => {
    // A cookie set at one of our names is missing when the person comes back to another one.
    if (direct && request.headers.host !== new URL(baseUrl()).host)
      return goTo(reply, `/auth/login?${new URLSearchParams({ return_to: returnTo }).toString()}`);
    const browser = cookies.read(request, "signIn") ?? createSecret();
    const attempt = { state: createSecret(), nonce: createSecret(), verifier: createSecret() };
    let url;
    try {
      url = await provider.authorizationUrl(attempt, `${baseUrl()}${callbackPath}`);
    } catch (error) {
      onNotice(error, "identity provider");
      return goBack(reply, "providerAway", returnTo, error);
    }
    await signInAttempts.create({
      stateHash: hashOf(attempt.state),
      browserHash: hashOf(browser),
      verifier: attempt.verifier,
      nonce: attempt.nonce,
      returnTo,
      expiresAt: after(clock.now(), attemptSeconds),
    });
    cookies.give(reply, "signIn", browser, attemptSeconds);
    onSignIn("begun");
    return leadTo(reply, url);
  };
}

const sessionSeconds = 30 * 24 * 60 * 60;
const browserLength = 400;

/** Handles a person's return from the provider, and starts a session. */
function finishSignIn(parts: SignInParts) {
  const { settings, provider, identities, signInAttempts, sessions, cookies, clock, baseUrl } = parts;
  const { onNotice, onSignIn, countFirst, endSession, goTo, goBack } = parts;
  const newId = createNewId();
  const refuseUnknown = countFirst(async (_request, reply) => goBack(reply, "expired", returnPath(undefined)));

  /**
   * Counts only returns that nobody started: a started one was counted then, and strangers must not keep anybody from finishing
   * it.
   */
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const state = secretIn(queryOf(request).state);
    const browser = cookies.read(request, "signIn");
    const attempt = state && browser && (await signInAttempts.take(hashOf(state), hashOf(browser), clock.now()));
    if (!attempt) return refuseUnknown(request, reply);
    const { verifier, nonce, returnTo } = attempt;
    const { search } = new URL(request.url, baseUrl());
    let claims;
    try {
      claims = await provider.claimsOf(search, { state, nonce, verifier }, `${baseUrl()}${callbackPath}`);
    } catch (error) {
      onNotice(error, "identity provider");
      return goBack(reply, error instanceof SignInRefused ? "refused" : "providerAway", returnTo, error);
    }

    const { idToken, ...identity } = claims;
    const now = clock.now();
    const account = await identities.signIn({ ...identity, now });
    if (account.suspendedAt !== undefined) return goBack(reply, "suspended", returnTo);
    const former = cookies.read(request, "session");
    if (former !== undefined) await endSession(former);
    const id = newId("ses");
    const value = sessionValue(id, createSecret());
    await sessions.create({
      id,
      accountId: account.id,
      hash: hashOf(value),
      browser: request.headers["user-agent"]?.slice(0, browserLength) ?? null,
      idToken: settings.kind === "provider" && idToken !== null ? seal(idToken, settings.clientSecret, id) : null,
      expiresAt: after(now, sessionSeconds),
      now,
    });
    if ((await provider.isCurrent?.(search, { state, nonce, verifier })) === false) {
      await endSession(value);
      return goBack(reply, "refused", returnTo);
    }
    cookies.give(reply, "session", value, sessionSeconds);
    onSignIn("signedIn");
    return goTo(reply, returnTo);
  };
}

/** Ends the session here and returns the next address for the browser: the provider's own sign-out if there is one. */
function signOut({ settings, provider, cookies, baseUrl, endSession }: SignInParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    refuseCrossSite(request, baseUrl());
    const value = cookies.read(request, "session");
    const ended = value && (await endSession(value));
    cookies.clear(reply, "session");
    const home = `${baseUrl()}${signInPage}`;
    const sealed = ended && ended.idToken;
    const idToken =
      value && sealed && settings.kind === "provider" && unseal(sealed, settings.clientSecret, sessionNamed(value).id);
    const location = (idToken && (await provider.endSessionUrl(idToken, home))) || home;
    return leadTo(reply, location);
  };
}

/** Finds the session of a request; renews its cookie when that is due, and deletes an invalid one. */
function createAuthenticatePerson({ sessions, cookies, clock }: SignInParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const value = cookies.read(request, "session");
    const next = createSecret();
    const now = clock.now();
    const nextHash = (id: string): Uint8Array => hashOf(sessionValue(id, next));
    const used = value && (await sessions.use({ ...sessionNamed(value), nextHash, now }));
    if (used) {
      const { session, account, renewed } = used;
      if (account.suspendedAt !== undefined)
        throw new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" });
      if (renewed)
        cookies.give(
          reply,
          "session",
          sessionValue(session.id, next),
          (session.expiresAt.getTime() - now.getTime()) / 1_000,
        );
      return { kind: "session", account, session };
    }
    if (cookies.has(request, "session")) cookies.clear(reply, "session");
    return { kind: "anonymous", address: networkOf(request.ip) };
  };
}

/** `session` identifies the signed-in session, `signIn` the browser that started to sign in. */
type CookieName = "session" | "signIn";

const names: Record<CookieName, string> = { session: "reelscript_session", signIn: "reelscript_sign_in" };

/**
 * Reads and writes our cookies. On https their prefix keeps other hosts from setting or reading them. On http their names
 * contain the port, because services on one machine share cookies.
 */
function createCookies(baseUrl: () => string) {
  const nameOf = (cookie: CookieName): string => {
    const { protocol, port } = new URL(baseUrl());
    if (protocol === "https:") return `__Host-${names[cookie]}`;
    return port === "" ? names[cookie] : `${names[cookie]}_${port}`;
  };
  const write = (reply: FastifyReply, cookie: CookieName, value: string, maxAge: number): void => {
    const options = {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: baseUrl().startsWith("https:"),
      maxAge,
    } as const;
    reply.header("set-cookie", stringifySetCookie(nameOf(cookie), value, options));
  };
  return {
    /** The value, if we could have issued it. */
    read: (request: FastifyRequest, cookie: CookieName): string | undefined =>
      secretIn(parseCookie(request.headers.cookie ?? "")[nameOf(cookie)]),
    has: (request: FastifyRequest, cookie: CookieName): boolean =>
      parseCookie(request.headers.cookie ?? "")[nameOf(cookie)] !== undefined,
    give: (reply: FastifyReply, cookie: CookieName, value: string, seconds: number): void =>
      write(reply, cookie, value, Math.floor(seconds)),
    clear: (reply: FastifyReply, cookie: CookieName): void => write(reply, cookie, "", 0),
  };
}
