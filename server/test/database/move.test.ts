import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { moveDatabase } from "../../src/adapters/database/move/move-database.ts";
import { openEmbeddedEngine } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { columnTypes } from "../../src/adapters/database/engine/columns.ts";
import { adminHelp } from "../../src/admin/admin-arguments.ts";
import { operate } from "../admin/run-program.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { anAccount, anAllowance, aReel, ask, askSent, transcribe } from "./conformance/fixtures.ts";
import { newId, patientLimits, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const scripts = 250;
const now = new Date();

describe.skipIf(!testDatabaseUrl)("moving to a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  const directory = directoryOfTests();

  /** An embedded database with a library, a reel that waits with media, and one that is held. */
  async function fill(): Promise<string> {
    await placeMigratedDatabase(directory);
    const store = await openStore({ dataDirectory: directory, newId });
    const { id } = await anAccount(store);
    for (let count = 0; count < scripts; count += 1)
      await transcribe(store, id, { text: `alpha word${count} “quoted” 😀` });
    await ask(store, aReel(), anAllowance(id, { limit: 1_000 }), { now });
    await askSent(store, aReel(), anAllowance(id, { limit: 1_000 }), { now });
    await store.close();
    // The tables of an earlier baseline lack what came later, and this release would refuse them.
    const older = await openEmbeddedEngine({ dataDirectory: directory });
    await older.pool.query("update migration set checksum = 'of an earlier baseline' where number = 1");
    await older.pool.query("alter table transcription drop column resume_at");
    await older.pool.query("drop table machine_clock");
    const backup = await older.backUp(now);
    await older.close();
    const operateOptions = { directory, environment: { DATA_DIR: directory } };
    expect((await operate(["backup", "restore", backup], operateOptions)).stdout).toMatch(
      /can't start with it.*database move/s,
    );
    await expect(openStore({ dataDirectory: directory, newId })).rejects.toThrow("a different migration 0001");
    return id;
  }

  async function target(): Promise<string> {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl!);
    onTestFinished(drop);
    return databaseUrl;
  }

  test("brings everything along, says how much, and continues where it broke off", async () => {
    const accountId = await fill();
    const to = await target();
    const move = () =>
      operate(["database", "move", "--to", to, "--json"], { directory, environment: { DATA_DIR: directory } });

    // It breaks off in the middle of a table: a connection is lost while transcripts are copied.
    const newStore = await openStore({ databaseUrl: to, serverLimits: patientLimits, dataDirectory: directory, newId });
    await newStore.close();
    const source = await openEmbeddedEngine({ dataDirectory: directory });
    const pool = new pg.Pool({ connectionString: to, types: columnTypes, max: 2 });
    let parts = 0;
    const breaking = new Proxy(source.pool, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (name !== "query") return typeof value === "function" ? value.bind(of) : value;
        return (...parameters: [{ text: string }]) => {
          if (
            parameters[0].text.includes('from "transcript"') &&
            parameters[0].text.includes("limit") &&
            (parts += 1) > 2
          )
            return Promise.reject(new Error("The connection is lost."));
          return (of.query as (...given: unknown[]) => Promise<unknown>)(...parameters);
        };
      },
    });
    await expect(moveDatabase(breaking, pool, () => undefined)).rejects.toThrow("The connection is lost.");
    await pool.end();
    await source.close();
    const half = openStore({ databaseUrl: to, serverLimits: patientLimits, dataDirectory: directory, newId });
    await expect(half).rejects.toThrow("A move into this database has not finished");

    const { stdout, stderr, code } = await move();
    expect(code, stderr).toBe(0);
    const { rows } = JSON.parse(stdout) as { rows: Readonly<Record<string, number>> };
    expect(rows).toMatchObject({
      account: 1,
      transcript: scripts,
      script: scripts,
      transcription: scripts + 2,
      hold: scripts + 2,
    });

    const store = await openStore({ databaseUrl: to, serverLimits: patientLimits, dataDirectory: directory, newId });
    const page = await store.scripts.search(accountId, { query: "word249", sort: "date", limit: 1 });
    expect(page.total).toBe(1);
    expect(await store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: scripts, held: 2 });
    // Counters, triggers and the queue go on.
    await transcribe(store, accountId, { text: "omega" }, now);
    expect(await store.transcriptions.queueLength()).toBe(2);
    await store.close();

    expect((await move()).stderr).toContain("has accounts already");
  });

  test("waits for nobody: a service that runs is named", async () => {
    const to = await target();
    const running = await openStore({ databaseUrl: to, serverLimits: patientLimits, dataDirectory: directory, newId });
    const { stderr, code } = await operate(["database", "move", "--to", to], {
      directory,
      environment: { DATA_DIR: directory },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("Stop every process")]);
    await running.close();
  });

  test("has a help that names the way", () => {
    expect(adminHelp(undefined)).toContain("database move");
  });
});
