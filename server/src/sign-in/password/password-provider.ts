import { createHmac, timingSafeEqual } from "node:crypto";
import type { AccountPassword } from "../../ports.ts";
import { type IdentityProvider, SignInRefused } from "../identity-provider.ts";
import { type PasswordNeeds, servePasswords } from "./serve-passwords.ts";
import { createPasswordHasher } from "./password-hash.ts";

/** The issuer of its identities in the database. */
const passwordIssuer = "password";

/**
 * Replaces an identity provider with passwords that this service keeps. Its page is the dashboard's sign-in page. The code
 * that the browser brings back is a seal by the attempt's verifier, which only the database and this provider know, so that
 * every process can check it; it names the stored hash, so that a new password makes it worthless.
 */
export function createPasswordProvider(needs: PasswordNeeds): IdentityProvider {
  const { passwords, baseUrl } = needs;
  const hasher = createPasswordHasher();
  /** The password with which the browser signed in, unless it was changed since. */
  async function passwordOf(query: string, verifier: string): Promise<AccountPassword | undefined> {
    const code = new URLSearchParams(query).get("code") ?? "";
    const [accountId = ""] = code.split(".", 1);
    const password = await passwords.findByAccount(accountId);
    return password !== undefined && isSame(code, codeOf(password, verifier)) ? password : undefined;
  }
  return {
    authorizationUrl: async ({ state }) => `${baseUrl()}/app/sign-in?${new URLSearchParams({ state }).toString()}`,

    async claimsOf(query, { verifier }) {
      const password = await passwordOf(query, verifier);
      if (password === undefined)
        throw new SignInRefused("The code doesn’t belong to this sign-in, or the password was changed.");
      const { email } = password;
      return { issuer: passwordIssuer, subject: email, email, isEmailVerified: true, name: null, idToken: null };
    },

    isCurrent: async (query, { verifier }) => (await passwordOf(query, verifier)) !== undefined,

    endSessionUrl: async () => undefined,

    serve: (app, serving) => servePasswords(app, { ...needs, ...serving, hasher, codeOf }),
  };
}

const codeOf = ({ accountId, hash }: AccountPassword, verifier: string): string =>
  `${accountId}.${createHmac("sha256", verifier).update(`${accountId}\n${hash}`).digest("base64url")}`;

function isSame(one: string, other: string): boolean {
  const bytes = Buffer.from(one);
  const otherBytes = Buffer.from(other);
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes);
}
