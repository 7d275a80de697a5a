import { createSecret, hashOf } from "../../src/sign-in/secret.ts";
import type { TestService } from "../harness/start-test-service.ts";

/** What a browser sends that is signed in to an account. */
export async function signInToAccount({ store, clock }: TestService, accountId: string): Promise<{ cookie: string }> {
  const secret = createSecret();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await store.sessions.create({ accountId, hash: hashOf(secret), browser: null, idToken: null, expiresAt, now });
  return { cookie: `reelscript_session=${secret}` };
}
