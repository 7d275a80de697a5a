import type { FastifyReply, FastifyRequest } from "fastify";
import { refuseCrossSite } from "../callers/refuse-cross-site.ts";
import { unseal } from "./seal.ts";
import { sessionNamed } from "./session-value.ts";
import { signInPage, type SignInParts } from "./sign-in-parts.ts";

/** Ends the session here and says where the browser continues to: to the provider's own sign-out when there is one. */
export function signOut({ settings, provider, cookies, baseUrl, endSession }: SignInParts) {
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
    if (request.headers.accept?.includes("application/json")) return reply.send({ location });
    return reply.redirect(location, 303);
  };
}
