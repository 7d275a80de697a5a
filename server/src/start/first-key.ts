import { createApiKey } from "../callers/authenticate.ts";
import type { Clock } from "../ports.ts";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import { developmentIssuer, developmentPerson } from "../sign-in/development-provider.ts";

/**
 * A fresh database gets an account and a key, so that the first call needs no preparation. The account belongs to the person
 * whom the development sign-in suggests, so that both see the same library.
 */
export async function firstKey(
  { store, clock }: { readonly store: OpenedStore; readonly clock: Clock },
  signIn: "development" | "provider",
): Promise<string | undefined> {
  if ((await store.accounts.list({ limit: 1 })).length > 0) return undefined;
  const now = clock.now();
  const { id: accountId } = await store.accounts.create({ email: developmentPerson, plan: "free", now });
  if (signIn === "development")
    await store.identities.link({ issuer: developmentIssuer, subject: developmentPerson, accountId, now });
  const { key, hash, lastFour } = createApiKey();
  await store.keys.create({ accountId, name: "First key", hash, lastFour, now });
  return key;
}
