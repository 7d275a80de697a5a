import { createAdminister } from "../admin/admin-commands.ts";
import { developmentIssuer, developmentPerson } from "../sign-in/development-provider.ts";

/**
 * A fresh database gets an account and a key, so that the first call needs no preparation. The person whom the development
 * sign-in proposes is the one to whom that account belongs, so that both show the same library.
 */
export async function firstKey(
  needs: Parameters<typeof createAdminister>[0],
  signIn: "development" | "provider",
): Promise<string | undefined> {
  const { store, clock } = needs;
  const administer = createAdminister(needs);
  const { accounts } = await administer("accountList", {});
  const link = async (accountId: string): Promise<void> => {
    if (signIn !== "development") return;
    await store.identities.link({ issuer: developmentIssuer, subject: developmentPerson, accountId, now: clock.now() });
  };
  if (accounts.length > 0) {
    // A database of before people could sign in.
    const developer = accounts.find(({ email }) => email === developmentPerson);
    if (developer !== undefined && store.embedded) await link(developer.id);
    return undefined;
  }
  const account = await administer("accountCreate", { email: developmentPerson, plan: "free" });
  await link(account.id);
  const { key } = await administer("keyCreate", { account: account.id, name: "First key" });
  return key;
}
