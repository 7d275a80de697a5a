import type { Pool } from "pg";
import { beforeAll, expect, describe, test } from "vitest";
import type { Claim, Store } from "../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  mustClaim,
  start,
  transcriptOf,
  walled,
} from "./conformance/fixtures.ts";
import { openOnServer } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const decision = { by: "an operator", reason: "asked to", now: after(3) };

describe.skipIf(testDatabaseUrl === undefined)(
  "what is recognized of a running transcription (runs with TEST_DATABASE_URL)",
  () => {
    let store: Store;
    let pool: Pool;
    beforeAll(async () => {
      const opened = await openOnServer(testDatabaseUrl ?? "");
      ({ store, pool } = opened);
      return opened.close;
    });
    const keptCount = async (): Promise<number | undefined> =>
      (await pool.query<{ count: number }>("select count(*)::integer as count from interim_text")).rows[0]?.count;

    test.each<[string, (claim: Claim, accountId: string) => Promise<unknown>]>([
      ["is done", (claim) => store.transcriptions.complete(claim, transcriptOf(claim.reel), true, after(3))],
      ["fails", (claim) => store.transcriptions.fail(claim, walled, { now: after(3) })],
      ["is given back", (claim) => store.transcriptions.release(claim, true)],
      ["is claimed again", () => mustClaim(store, after(60))],
      ["is taken down", (claim) => store.moderation.takeDown(claim.reel, decision)],
      ["is of an account that is suspended", (_, accountId) => store.moderation.suspend(accountId, decision)],
    ])("is gone when it %s", async (_, end) => {
      await pool.query(
        "update transcription set state = 'done', lease_until = null where state in ('queued', 'running')",
      );
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      const claim = await mustClaim(store, start);
      const passages = [1, 2].map((number) => ({ number, language: "en", text: `Passage ${number}.` }));
      await store.transcriptions.extend(claim, 0.5, 30, after(2), passages);
      expect(await keptCount()).toBe(2);
      await end(claim, id);
      expect(await keptCount()).toBe(0);
    });
  },
);
