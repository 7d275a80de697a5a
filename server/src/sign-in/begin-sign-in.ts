import type { FastifyReply, FastifyRequest } from "fastify";
import { returnPath } from "./return-path.ts";
import { createSecret, hashOf } from "./secret.ts";
import { after, callbackPath, queryOf, type SignInParts } from "./sign-in-parts.ts";

const attemptSeconds = 10 * 60;

/** Sends a person to the provider, and remembers that this browser left. */
export function beginSignIn({
  provider,
  signInAttempts,
  cookies,
  clock,
  baseUrl,
  direct,
  onNotice,
  goTo,
  goBack,
}: SignInParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const returnTo = returnPath(queryOf(request).return_to);
    // A cookie that is given at one of our names is not there when the person comes back to another.
    if (direct && request.headers.host !== new URL(baseUrl()).host)
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
  };
}
