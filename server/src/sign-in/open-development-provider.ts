import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { Configuration, Provider } from "oidc-provider";
import { loadProvider } from "./load-provider.ts";

/** Where the provider asks who somebody wants to be. */
export const personPath = "/dev-login";

interface ProviderParts {
  readonly client: { readonly issuer: () => string; readonly id: string; readonly secret: string };
  readonly baseUrl: () => string;
  readonly cookieName: (name: string) => string;
  readonly renderError: Configuration["renderError"];
}

/** The provider for development, with keys of its own that last as long as it does. */
export async function openDevelopmentProvider(parts: ProviderParts): Promise<Provider> {
  return loadProvider(parts.client.issuer(), await configure(parts));
}

async function configure({ client, baseUrl, cookieName, renderError }: ProviderParts): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return {
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
    renderError,
  };
}

const nameIn = (email: string): string => {
  const local = email.split("@")[0] ?? "";
  return local.charAt(0).toUpperCase() + local.slice(1);
};
