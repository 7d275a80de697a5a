import { cutText } from "@reelscript/contract/values";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as oidc from "openid-client";
import type { Clock } from "../ports.ts";
import type { Caller } from "../rules/caller.ts";
import type { Guard } from "./sign-in-limit.ts";

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** True if the provider confirms that the address is the person's. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly idToken: string | null;
}

/** The needs of a provider's pages, if the provider is part of this service. */
export interface ServingNeeds {
  readonly guard: Guard;
  /** The browser brings the code to this path. */
  readonly callbackPath: string;
  readonly authenticatePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
}

/** Values sent to the provider, to be compared with its response. */
interface SignInValues {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IdentityProvider {
  /** The URL at which the browser signs in. */
  authorizationUrl(values: SignInValues, redirectUri: string): Promise<string>;
  /**
   * Exchanges the values that the browser brought back. Throws `SignInRefused` for untrusted ones, and another error if the
   * provider is unavailable.
   */
  claimsOf(query: string, values: SignInValues, redirectUri: string): Promise<Claims>;
  /**
   * Whether values that `claimsOf` took still count, for a provider that may take them back. Asked once the session is there: what
   * ends sessions meanwhile ends either this one or its values.
   */
  isCurrent?(query: string, values: SignInValues): Promise<boolean>;
  /** The URL at which the browser also signs out of the provider; `undefined` if it has none or is unavailable. */
  endSessionUrl(idToken: string, returnUri: string): Promise<string | undefined>;
  /** Adds the routes of a provider that is part of this service. */
  serve?(app: FastifyInstance, needs: ServingNeeds): void;
}

/** The provider refused, or its response doesn't match our request. */
export class SignInRefused extends Error {}

const discoveredMilliseconds = 60 * 60 * 1_000;
const failedMilliseconds = 2_000;
const timeoutSeconds = 8;
const longestText = 254;

interface IdentityProviderNeeds {
  readonly clock: Clock;
  /** Receives errors with outside causes, such as an unavailable storage. */
  readonly onNotice: (error: unknown, where: string) => void;
  readonly settings: ProviderSettings;
}

/** Discovers the provider's endpoints on first use, again after a failure, and once an hour. */
function createDiscovery({ settings, clock, onNotice }: IdentityProviderNeeds): () => Promise<oidc.Configuration> {
  let current: Promise<oidc.Configuration> | undefined;
  let usableUntil = 0;

  async function discover(earlier: Promise<oidc.Configuration> | undefined): Promise<oidc.Configuration> {
    try {
      const { issuer, clientId, clientSecret } = settings;
      const configuration = await oidc.discovery(new URL(issuer), clientId, undefined, authenticateWith(clientSecret), {
        timeout: timeoutSeconds,
        // Checks signatures although the token comes from the provider itself, so that nobody in between can forge one.
        execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])],
      });
      usableUntil = clock.now().getTime() + discoveredMilliseconds;
      return configuration;
    } catch (error) {
      usableUntil = clock.now().getTime() + failedMilliseconds;
      const before = await earlier?.catch(() => undefined);
      if (before === undefined) throw error;
      onNotice(error, "identity provider");
      return before;
    }
  }

  return () => {
    if (current === undefined || clock.now().getTime() >= usableUntil) {
      usableUntil = clock.now().getTime() + timeoutSeconds * 1_000;
      current = discover(current);
    }
    return current;
  };
}

/** The part of the sign-in that talks to the provider. */
export function createIdentityProvider(needs: IdentityProviderNeeds): IdentityProvider {
  const { onNotice } = needs;
  const configuration = createDiscovery(needs);

  return {
    async authorizationUrl({ state, nonce, verifier }, redirectUri) {
      const parameters = {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      return oidc.buildAuthorizationUrl(await configuration(), parameters).href;
    },

    async claimsOf(query, { state, nonce, verifier }, redirectUri) {
      const config = await configuration();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const tokens = await oidc
        .authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), checks)
        .catch((error: unknown) => {
          throw isRefusal(error) ? new SignInRefused("The sign-in was refused.", { cause: error }) : error;
        });
      const claims = tokens.claims();
      if (!claims || !isSubject(claims.sub)) throw new SignInRefused("The sign-in provider sent no identity.");
      const moreClaims = [claims.email, claims.name].includes(undefined)
        ? await userInfo(config, tokens, claims.sub, onNotice)
        : {};
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: textOf(claims.email) ?? textOf(moreClaims.email),
        isEmailVerified: isTrue((textOf(claims.email) === null ? moreClaims : claims).email_verified),
        name:
          textOf(claims.name) ??
          textOf(moreClaims.name) ??
          textOf(claims.preferred_username) ??
          textOf(moreClaims.preferred_username),
        idToken: tokens.id_token ?? null,
      };
    },

    async endSessionUrl(idToken, returnUri) {
      try {
        const config = await configuration();
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
        const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnUri };
        return oidc.buildEndSessionUrl(config, parameters).href;
      } catch (error) {
        onNotice(error, "identity provider");
        return undefined;
      }
    },
  };
}

/** Many providers return email and name only here. Signing in works without them. */
async function userInfo(
  config: oidc.Configuration,
  { access_token: token }: { readonly access_token: string },
  subject: string,
  onNotice: IdentityProviderNeeds["onNotice"],
): Promise<Readonly<Record<string, unknown>>> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(config, token, subject).catch((error: unknown) => {
    onNotice(error, "identity provider");
    return {};
  });
}

/** Chooses a method that the provider accepts; if it lists none, the standard's default. */
function authenticateWith(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (accepted.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}

/** True if the provider refused or its response doesn't match our request; false for a wrong client or a server in trouble. */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError)
    return !["server_error", "temporarily_unavailable"].includes(error.error);
  if (error instanceof oidc.ResponseBodyError) return error.error === "invalid_grant";
  return error instanceof oidc.ClientError && error.code !== "OAUTH_TIMEOUT" && isAboutContent(error.code);
}

const isAboutContent = (code: string | undefined): boolean =>
  ["OAUTH_INVALID_RESPONSE", "OAUTH_JWT_CLAIM_COMPARISON_FAILED", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED"].includes(
    code ?? "",
  );

/** The standard allows at most 255 characters. An empty subject would be shared by everybody without one. */
const isSubject = (claim: unknown): boolean =>
  typeof claim === "string" && claim !== "" && claim.length <= 255 && !/\p{Cc}/u.test(claim);

/** Some providers send it as a text. */
const isTrue = (claim: unknown): boolean => claim === true || claim === "true";

const textOf = (claim: unknown): string | null => {
  const text = typeof claim === "string" ? claim.replace(/\p{Cc}/gu, " ").trim() : "";
  return text === "" ? null : cutText(text, longestText);
};
