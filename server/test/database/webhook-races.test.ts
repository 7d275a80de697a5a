import type { PoolClient } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/ports.ts";
import { after, anAccount, anAllowance, aReel, ask, mustClaim, start, transcriptOf } from "./conformance/fixtures.ts";
import { anEndpoint, delivered } from "./conformance/webhooks.ts";
import { openOnServer } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe.skipIf(!testDatabaseUrl)("webhooks on two connections (runs with TEST_DATABASE_URL)", () => {
  let store: Store;
  let other: PoolClient;
  beforeAll(async () => {
    const opened = await openOnServer(testDatabaseUrl ?? "");
    store = opened.store;
    other = await opened.pool.connect();
    return () => {
      other.release(true);
      return opened.close();
    };
  });

  const someoneWaits = async (): Promise<void> => {
    const waiting = `select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and application_name = 'reelscript' and wait_event_type = 'Lock'`;
    await expect
      .poll(async () => (await other.query<{ waiting: number }>(waiting)).rows[0]!.waiting)
      .toBeGreaterThan(0);
  };
  async function waitingEvent() {
    const { id } = await anAccount(store);
    const endpoint = await anEndpoint(store, id);
    await store.webhooks.test(id, endpoint.id, start);
    return { accountId: id, endpoint };
  }

  test("a transcription ends although its endpoint is deleted at that moment", async () => {
    const { id } = await anAccount(store);
    const endpoint = await anEndpoint(store, id);
    const reel = aReel();
    await ask(store, reel, anAllowance(id));
    const claim = await mustClaim(store);
    await other.query("begin");
    await other.query("delete from webhook where id = $1", [endpoint.id]);
    const completing = store.transcriptions.complete(claim, transcriptOf(reel), true, after(1));
    await Promise.race([someoneWaits(), completing]).finally(() => other.query("commit"));
    expect(await completing).toBe(true);
  });

  test("an attempt is noted while its endpoint is deleted", async () => {
    const { endpoint } = await waitingEvent();
    const [attempt] = await store.webhooks.take(1, 30, after(1));
    await other.query("begin");
    await other.query("select from webhook where id = $1 for update", [endpoint.id]);
    const noting = store.webhooks.note(attempt!, delivered, undefined, after(1));
    await someoneWaits();
    const [deleted, noted] = await Promise.allSettled([
      other.query("delete from webhook where id = $1", [endpoint.id]).then(() => other.query("commit")),
      noting,
    ]);
    await other.query("rollback");
    expect([deleted.status, noted]).toEqual(["fulfilled", { status: "fulfilled", value: undefined }]);
  });

  test("postponed ones aren't taken, and their endpoint isn't kept busy", async () => {
    const { accountId, endpoint } = await waitingEvent();
    await other.query("begin");
    await other.query("update webhook_delivery set due_at = $2 where webhook_id = $1", [endpoint.id, after(5)]);
    const taking = store.webhooks.take(1, 30, after(1));
    await someoneWaits();
    await other.query("commit");
    expect(await taking).toEqual([]);
    expect(await store.webhooks.take(1, 30, after(5))).toMatchObject([{ attempt: 1 }]);
    await store.accounts.remove(accountId, after(6));
  });
});
