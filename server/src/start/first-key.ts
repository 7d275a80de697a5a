import { createApiKey } from "../callers/api-key.ts";
import type { Clock } from "../ports.ts";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import { developmentIssuer, developmentPerson } from "../sign-in/development-provider.ts";

/**
 * A fresh database gets an account and a key, so that the first call needs no preparation. The person whom the development
 * sign-in proposes is the one to whom that account belongs, so that both show the same library.
 */
export async function firstKey(
  { store, clock }: { readonly store: OpenedStore; readonly clock: Clock },
  signIn: "development" | "provider",
): Promise<string | undefined> {
  const accounts = await store.accounts.list();
  const now = clock.now();
  const link = async (accountId: string): Promise<void> => {
    if (signIn !== "development") return;
    await store.identities.link({ issuer: developmentIssuer, subject: developmentPerson, accountId, now });
  };
  if (accounts.length > 0) {
    // A database of before people could sign in.
    const developer = accounts.find(({ email }) => email === developmentPerson);
    if (developer !== undefined && store.embedded) await link(developer.id);
    return undefined;
  }
  const account = await store.accounts.create({ email: developmentPerson, plan: "free", now });
  await link(account.id);
  const { key, hash, lastFour } = createApiKey();
  await store.keys.create({ accountId: account.id, name: "First key", hash, lastFour, now });
  return key;
}
