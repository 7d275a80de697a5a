import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { transaction } from "../../src/adapters/database/engine/statement.ts";
import { eachWithUnavailable } from "../../src/adapters/database/engine/unavailable.ts";
import type { Store } from "../../src/ports.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { startWay } from "../harness/start-way.ts";
import { after, anAccount, anAllowance, aReel, ask, mustClaim, start, transcriptOf } from "./conformance/fixtures.ts";
import { askOnce, newId, openPool, patientLimits, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe.skipIf(!testDatabaseUrl)("several nodes on a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  let databaseUrl = "";
  beforeEach(async () => {
    const database = await temporaryDatabase(testDatabaseUrl ?? "");
    databaseUrl = database.databaseUrl;
    onTestFinished(database.drop);
  });
  const open = async (url = databaseUrl): Promise<Store> => {
    const store = await openStore({ databaseUrl: url, serverLimits: patientLimits, dataDirectory: "unused", newId });
    onTestFinished(() => store.close());
    return store;
  };

  test("one that freezes while it starts a transcription holds up nobody", async () => {
    const way = await startWay(databaseUrl);
    onTestFinished(() => way.close());
    const frozen = await open(way.url);
    const other = await open();
    const one = await anAccount(other);
    const two = await anAccount(other);
    await frozen.ping();
    way.freezeAfter("from start_transcription_2(");
    const lost = ask(frozen, aReel(), anAllowance(one.id)).catch((error: unknown) => error);
    await expect.poll(() => way.frozen).toBe(true);
    expect(await ask(other, aReel(), anAllowance(two.id))).toMatchObject({ kind: "started" });
    expect(await ask(other, aReel(), anAllowance(one.id))).toMatchObject({ kind: "started" });
    for (const now of [start, start, start]) {
      const claim = await mustClaim(other, now);
      expect(await other.transcriptions.complete(claim, transcriptOf(claim.reel), true, now)).toBe(true);
    }
    expect(await other.transcriptions.queueLength()).toBe(0);
    await way.cut();
    expect(await lost).toMatchObject({ kind: "started" });
  });

  test("report their workers to each other until these are silent a day", async () => {
    const store = await open();
    expect(await store.workers.report("one", { isWell: true, makesVideos: false }, start)).toEqual([]);
    const one = { name: "one", isWell: true, seenAt: start };
    expect(await store.workers.report("other", { isWell: false, makesVideos: false }, start)).toEqual([one]);
    expect(await store.workers.report("other", { isWell: true, makesVideos: false }, after(60))).toEqual([one]);
    await runUpkeep(store, "forget-workers", after(24 * 60 * 60 + 1));
    expect(await store.workers.report("third", { isWell: true, makesVideos: false }, after(60))).toEqual([
      { name: "other", isWell: true, seenAt: after(60) },
    ]);
  });

  test("with a server that became read-only get the error unavailable", async () => {
    const store = await open();
    const { id } = await anAccount(store);
    const name = new URL(databaseUrl).pathname.slice(1);
    await askOnce(
      databaseUrl,
      `alter database ${name} set default_transaction_read_only = on;
       select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
    const refusal = () => ask(store, aReel(), anAllowance(id)).catch((error: unknown) => error);
    expect(await refusal()).toMatchObject({ code: "unavailable", status: 503 });
    // Once the store has noticed of all its connections that they ended.
    await expect.poll(refusal).toMatchObject({ code: "unavailable", status: 503, cause: { code: "25006" } });
  });

  test("that are silent too long in a transaction get the error unavailable", async () => {
    const pool = openPool(databaseUrl);
    onTestFinished(() => pool.end());
    const { port } = eachWithUnavailable({
      port: {
        freeze: () =>
          transaction(pool, async (client) => {
            const { rows } = await client.query("select pg_backend_pid() as pid");
            await client.query("set local idle_in_transaction_session_timeout = 20");
            const sessions = () => pool.query("select from pg_stat_activity where pid = $1", [rows[0].pid]);
            await expect.poll(async () => (await sessions()).rowCount).toBe(0);
            await client.query("select 1");
          }),
      },
    });
    expect(await port.freeze().catch((error: unknown) => error)).toMatchObject({ code: "unavailable", status: 503 });
  });

  test("start and claim at the same time, and claim each reel once", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const accounts = await Promise.all(Array.from({ length: 6 }, () => anAccount(stores[0])));
    const reels = Array.from({ length: 40 }, aReel);
    const claimed: string[] = [];
    let left = reels.length;
    const starting = reels.flatMap((reel, index) =>
      stores.map((store) => ask(store, reel, anAllowance(accounts[index % accounts.length]!.id, { limit: 100 }))),
    );
    const working = stores.flatMap((store, node) =>
      Array.from({ length: 3 }, async (_, loop) => {
        for (let idle = 0; left > 0 && idle < 500; idle += 1) {
          const claim = await store.transcriptions.claim(`worker ${node} ${loop}`, 3_600, start);
          if (claim === undefined) continue;
          claimed.push(claim.reel.mediaId);
          left -= 1;
          expect(await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, start)).toBe(true);
        }
      }),
    );
    const answers = await Promise.all(starting);
    await Promise.all(working);
    expect(answers.filter(({ kind }) => kind === "started")).toHaveLength(reels.length);
    expect(claimed.toSorted()).toEqual(reels.map(({ mediaId }) => mediaId).toSorted());
    expect(await stores[0].transcriptions.queueLength()).toBe(0);
    for (const { id } of accounts) {
      const { used, held } = await stores[0].allowances.read({ accountId: id, slot: 1 }, "lifetime");
      expect([used + held, held]).toEqual([reels.filter((_, index) => accounts[index % 6]!.id === id).length, 0]);
    }
  });
});
