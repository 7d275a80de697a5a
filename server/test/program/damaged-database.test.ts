import { randomBytes } from "node:crypto";
import { cp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { newId } from "../database/opened-stores.ts";
import { noModel, startProgram } from "../harness/start-program.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const testDirectory = directoryOfTests();
let whole = "";
beforeAll(async () => {
  whole = path.join(testDirectory, "whole");
  await placeMigratedDatabase(whole);
  const store = await openStore({ dataDirectory: whole, newId });
  await store.accounts.create({ email: "a@example.org", plan: "free", now: new Date() });
  await store.backUp(new Date());
  await store.close();
});

const ways = {
  emptied: (file: string) => truncate(file, 0),
  cut: async (file: string) => truncate(file, Math.floor((await stat(file)).size / 16_384) * 8_192),
  "overwritten with rubbish": async (file: string) => writeFile(file, randomBytes((await stat(file)).size)),
  "overwritten with zeros": async (file: string) => writeFile(file, Buffer.alloc((await stat(file)).size)),
  removed: (file: string) => rm(file, { recursive: true }),
} satisfies Record<string, (file: string) => Promise<void>>;

/** Starts the built program as `npm start` does. */
async function start(dataDirectory: string) {
  const program = await startProgram({ ...noModel, DATA_DIR: dataDirectory, LOG_LEVEL: "error" });
  return { code: (await program.end("SIGKILL")).code, printed: program.printed() };
}

/** Opens the store in this process, and returns its error, which a start must print. */
const complaintOf = (dataDirectory: string): Promise<string> =>
  openStore({ dataDirectory, newId }).then(
    (store) => store.close().then(() => "nothing"),
    (error: Error) => error.message,
  );

const says = /^The database in \S+ is damaged \([^()]+(?:\([^()]*\)[^()]*)?\): .*\.$/;

/** Everything in the folder but what the database makes again by itself. */
const namesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { recursive: true })).filter(
    (name) => !/pg_internal\.init|pg_stat_tmp|postmaster/.test(name),
  );

describe("a damaged database", () => {
  test.each<[string, keyof typeof ways, isStarted?: true]>([
    ["PG_VERSION", "removed"],
    ["PG_VERSION", "emptied"],
    ["PG_VERSION", "overwritten with rubbish"],
    ["global/pg_control", "emptied"],
    ["global/pg_control", "overwritten with zeros", true],
    ["global/pg_filenode.map", "overwritten with rubbish"],
    ["global/1260", "removed"],
    ["global/1262", "overwritten with zeros"],
    ["pg_wal/000000010000000000000001", "removed"],
    ["pg_wal/000000010000000000000001", "overwritten with rubbish"],
    ["pg_xact/0000", "removed"],
    ["base/5", "removed"],
    ["base/5/1249", "cut"],
    ["base/5/1255", "overwritten with rubbish"],
    ["base/5/1259", "emptied", true],
  ])("stops the start with one sentence that says what to do: %s %s", async (name, way, isStarted) => {
    const dataDirectory = path.join(testDirectory, "damaged");
    await cp(whole, dataDirectory, { recursive: true });
    try {
      const database = path.join(dataDirectory, "database");
      await ways[way](path.join(database, name));
      const before = await namesIn(dataDirectory);
      const complaint = await complaintOf(dataDirectory);
      const [backup] = await readdir(path.join(dataDirectory, "backups"));
      const file = path.join(dataDirectory, "backups", backup!);
      expect(complaint).toMatch(says);
      expect(complaint).toContain(`npx --no-install reelscript backup restore ${file}\``);
      expect(complaint).not.toMatch(/Aborted|ASSERTIONS|PGlite/);
      if (isStarted)
        expect(await start(dataDirectory)).toEqual({
          code: 1,
          printed: `\nReelscript could not start: ${complaint}\n`,
        });
      expect(await namesIn(dataDirectory), "nothing is removed").toEqual(expect.arrayContaining(before));
    } finally {
      await rm(dataDirectory, { recursive: true, force: true });
    }
  });

  test("without a backup is told so", async () => {
    const dataDirectory = path.join(testDirectory, "without-backup");
    await cp(path.join(whole, "database"), path.join(dataDirectory, "database"), { recursive: true });
    await rm(path.join(dataDirectory, "database/PG_VERSION"));
    const complaint = await complaintOf(dataDirectory);
    expect(complaint).toContain(`there is no backup in ${path.join(dataDirectory, "backups")}`);
    expect(complaint).toContain("npx --no-install reelscript backup restore FILE");
  });
});
