import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import { createNewId } from "../../src/callers/api-key.ts";
import { developmentIssuer, developmentPerson } from "../../src/sign-in/development-provider.ts";
import { createSecret, hashOf } from "../../src/sign-in/secret.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { lookAfter } from "../harness/look-after.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

describe("an embedded database", () => {
  const directory = directoryOfTests();
  let store: OpenedStore;
  const clock = createTestClock();
  beforeAll(async () => {
    await placeMigratedDatabase(directory);
    store = await openStore({ dataDirectory: directory, newId: createNewId() });
  });
  afterAll(() => store.close());
  const developer = () =>
    store.identities.signIn({
      issuer: developmentIssuer,
      subject: developmentPerson,
      email: developmentPerson,
      name: null,
      now: clock.now(),
    });

  test("forgets sessions and attempts that have ended", async () => {
    const { id: accountId } = await developer();
    const now = clock.now();
    const past = new Date(now.getTime() - 60_000);
    const [ended, live, state, browser] = Array.from({ length: 4 }, () => hashOf(createSecret()));
    const session = { accountId, browser: null, idToken: null, now: past };
    await store.sessions.create({ ...session, hash: ended!, expiresAt: past });
    await store.sessions.create({ ...session, hash: live!, expiresAt: new Date(now.getTime() + 60_000) });
    await store.signInAttempts.create({
      stateHash: state!,
      browserHash: browser!,
      verifier: "v",
      nonce: "n",
      returnTo: "/app",
      expiresAt: past,
    });
    await lookAfter(store);
    expect(await store.sessions.end(ended!)).toBeUndefined();
    expect(await store.sessions.end(live!)).toEqual({ idToken: null });
    expect(await store.signInAttempts.take(state!, browser!, new Date(0))).toBeUndefined();
  });
});
