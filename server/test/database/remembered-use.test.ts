import { describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { after, anAccount, transcribe, unique } from "./conformance/fixtures.ts";
import { openEmbedded, openOnServer } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";
import { lookAfter } from "../harness/look-after.ts";

function forgets(open: () => Promise<{ store: OpenedStore; close: () => Promise<void> }>): void {
  test("forgets what removed accounts used after 24 months, and their handles after their time", async () => {
    const { store, close } = await open();
    const monthsAgo = (months: number, days: number): Date => {
      const date = new Date();
      date.setUTCMonth(date.getUTCMonth() - months, 15);
      return after(days * 86_400, date);
    };
    const usedAgain = async (removedAt: Date): Promise<number> => {
      const identity = { issuer: "https://id.example", subject: unique(), email: null, name: null, now: removedAt };
      const { id } = await store.identities.signIn(identity);
      await transcribe(store, id);
      await store.accounts.remove(id, removedAt);
      await lookAfter(store);
      const again = await store.identities.signIn(identity);
      return (await store.allowances.read({ accountId: again.id, slot: 1 }, "lifetime")).used;
    };
    expect([await usedAgain(monthsAgo(23, 0)), await usedAgain(monthsAgo(25, 0))]).toEqual([1, 0]);

    const past = monthsAgo(4, 0);
    const [gone, other] = [await anAccount(store), await anAccount(store)];
    const handle = `h${unique()}`;
    await store.bioPages.claimHandle(gone.id, handle, past);
    await store.accounts.remove(gone.id, past);
    const claim = () => store.bioPages.claimHandle(other.id, handle, after(1, past));
    expect(await claim()).toBe("taken");
    await lookAfter(store);
    expect(await claim()).toMatchObject({ handle });
    await close();
  });
}

describe("the embedded database", () => {
  forgets(openEmbedded);
});

describe.skipIf(!testDatabaseUrl)("a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  forgets(() => openOnServer(testDatabaseUrl ?? ""));
});
