import type { FastifyReply, FastifyRequest } from "fastify";
import { createNewId } from "../callers/api-key.ts";
import { developmentIssuer } from "./development-provider.ts";
import { SignInRefused } from "./identity-provider.ts";
import { returnPath } from "./return-path.ts";
import { seal } from "./seal.ts";
import { createSecret, hashOf, secretIn } from "./secret.ts";
import { sessionValue } from "./session-value.ts";
import { after, callbackPath, queryOf, type SignInParts } from "./sign-in-parts.ts";

const sessionSeconds = 30 * 24 * 60 * 60;
const browserLength = 400;

/** Takes a person who comes back from the provider, and begins a session. */
export function finishSignIn(parts: SignInParts) {
  const { settings, development, provider, identities, signInAttempts, sessions, cookies, clock, baseUrl } = parts;
  const { onNotice, countFirst, endSession, goTo, goBack } = parts;
  const newId = createNewId();
  const refuseUnknown = countFirst(async (_request, reply) => goBack(reply, "expired", returnPath(undefined)));

  /** Counts only what nobody began: it was counted when it began, and many strangers must not keep anybody from ending it. */
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const state = secretIn(queryOf(request).state);
    const browser = cookies.read(request, "signIn");
    const attempt = state && browser && (await signInAttempts.take(hashOf(state), hashOf(browser), clock.now()));
    if (!attempt) return refuseUnknown(request, reply);
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
    cookies.give(reply, "session", value, sessionSeconds);
    return goTo(reply, returnTo);
  };
}
