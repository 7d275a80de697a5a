import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationServerNeeds } from "./oauth/authorization-server.ts";
import type { Needs } from "../run/needs.ts";
import { createCookies } from "./cookies.ts";
import { createDevelopmentProvider } from "./development-provider.ts";
import { createIdentityProvider, type ProviderSettings } from "./identity-provider.ts";
import { sessionNamed } from "./secret.ts";
import { createSignInGuard } from "./sign-in-limit.ts";

/** The operator's identity provider, or the one for development. */
export type SignInSettings = ({ readonly kind: "provider" } & ProviderSettings) | { readonly kind: "development" };

export interface SignInNeeds
  extends AuthorizationServerNeeds, Needs<"identities" | "signInAttempts" | "sessions" | "onNotice"> {
  readonly settings: SignInSettings;
  /** Requests of one network in any hour. */
  readonly limit: number;
  /** Whether requests come to that address, with no proxy between. */
  readonly direct: boolean;
  readonly showContentType: (request: FastifyRequest["raw"]) => void;
}

export const signInPage = "/app/sign-in";
export const callbackPath = "/auth/callback";

export type SignInParts = ReturnType<typeof createSignInParts>;

/** What the steps of signing in and out share. */
export function createSignInParts(needs: SignInNeeds) {
  const { settings, sessions, clock, baseUrl, onNotice } = needs;
  const development = settings.kind === "development" ? createDevelopmentProvider(baseUrl) : undefined;
  const provider = createIdentityProvider({
    settings: () => (settings.kind === "provider" ? settings : development!.settings()),
    clock,
    onNotice,
  });
  const goTo = (reply: FastifyReply, path: string): FastifyReply => reply.redirect(`${baseUrl()}${path}`, 303);
  return {
    ...needs,
    ...createSignInGuard(needs),
    development,
    provider,
    cookies: createCookies(baseUrl),
    goTo,
    goBack: (
      reply: FastifyReply,
      error: "expired" | "provider" | "refused" | "suspended",
      returnTo: string,
    ): FastifyReply => goTo(reply, `${signInPage}?${new URLSearchParams({ error, return_to: returnTo }).toString()}`),
    endSession: (value: string) => {
      const { id, hash } = sessionNamed(value);
      return sessions.end(hash, id);
    },
  };
}

export const queryOf = (request: FastifyRequest): Readonly<Record<string, unknown>> =>
  request.query as Readonly<Record<string, unknown>>;
