import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  openEmbeddedEngine,
  type EmbeddedEngine,
} from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { restoreBackup } from "../../src/adapters/database/backups/restore-backup.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTest, directoryOfTests } from "../harness/temporary-directory.ts";

const testDirectory = directoryOfTests();
const empty = path.join(testDirectory, "empty");
beforeAll(async () => {
  await placeMigratedDatabase(empty);
  const engine = await openEmbeddedEngine({ dataDirectory: empty });
  // One row to a page of the file, which makes a large database with little writing.
  await engine.pool.query("create table filler (id bigint primary key, text text not null) with (fillfactor = 10)");
  await engine.close();
});

const copy = async (): Promise<string> => {
  const directory = directoryOfTest(testDirectory);
  await cp(empty, directory, { recursive: true });
  return directory;
};

const fill = (engine: EmbeddedEngine, from: number, to: number) =>
  engine.pool.query(
    "insert into filler select n, repeat(md5(n::text), 40) from generate_series($1::bigint, $2::bigint) n",
    [from, to],
  );
const rowsIn = async (dataDirectory: string): Promise<number[]> => {
  const engine = await openEmbeddedEngine({ dataDirectory });
  try {
    // Every row through the table and through its index, both checked by their sums.
    const { rows } = await engine.pool.query<{ id: number; whole: boolean }>(
      "select id::integer as id, text = repeat(md5(id::text), 40) as whole from filler order by id",
    );
    expect(rows.filter(({ whole }) => !whole)).toEqual([]);
    await engine.pool.query("set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off");
    const { rows: counted } = await engine.pool.query("select count(*)::integer as count from filler");
    expect(counted).toEqual([{ count: rows.length }]);
    return rows.map(({ id }) => id);
  } finally {
    await engine.close();
  }
};

describe("a backup of the embedded database", () => {
  test("made during writes contains everything from its beginning, nothing by halves", async () => {
    const dataDirectory = await copy();
    const engine = await openEmbeddedEngine({ dataDirectory });
    await fill(engine, 1, 5_000);
    let backupFile: string | undefined;
    const backup = engine.backUp(new Date()).then((file) => (backupFile = file));
    let next = 5_001;
    for (let round = 0; backupFile === undefined || round < 5; round += 1) {
      await fill(engine, next, next + 199);
      await engine.pool.query("update filler set text = text where id % 50 = $1", [round % 50]);
      await engine.pool.query("create table passing as select * from filler limit 500");
      await engine.maintain();
      await engine.pool.query("drop table passing");
      next += 200;
    }
    await backup;
    await engine.close();
    const whole = await rowsIn(dataDirectory);
    expect(whole).toHaveLength(next - 1);

    await restoreBackup(dataDirectory, backupFile!, new Date());
    const restored = await rowsIn(dataDirectory);
    expect(restored.length).toBeGreaterThanOrEqual(5_000);
    expect((restored.length - 5_000) % 200, "each statement is in it whole or not at all").toBe(0);
    expect(restored).toEqual(whole.slice(0, restored.length));
  });

  test("takes little more memory than the service has without it", async () => {
    const dataDirectory = await copy();
    const engine = await openEmbeddedEngine({ dataDirectory });
    await engine.pool.query(
      `insert into filler select n, repeat((select string_agg(md5(n || ' ' || part), '') from generate_series(1, 16) part), 2)
       from generate_series(1, 20_000) n`,
    );
    const { rows } = await engine.pool.query<{ bytes: number }>("select pg_table_size('filler')::integer as bytes");
    expect(rows[0]?.bytes).toBeGreaterThan(150_000_000);
    await engine.maintain();
    const before = process.memoryUsage().rss;
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    const file = await engine.backUp(new Date()).finally(() => clearInterval(watching));
    expect((await stat(file)).size).toBeGreaterThan(5_000_000);
    expect((most - before) / 1024 / 1024).toBeLessThan(100);
    await engine.close();
  });

  test("that is killed leaves no finished file, and the database opens", async () => {
    const dataDirectory = await copy();
    const engine = await openEmbeddedEngine({ dataDirectory });
    await fill(engine, 1, 10_000);
    await engine.close();
    const module = new URL("../../dist/adapters/database/engine/embedded/embedded-engine.js", import.meta.url).href;
    const program = `
      const { openEmbeddedEngine } = await import(${JSON.stringify(module)});
      const engine = await openEmbeddedEngine({ dataDirectory: process.argv[1] });
      console.log("open");
      await engine.backUp(new Date());`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", dataDirectory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const backups = path.join(dataDirectory, "backups");
    const listBackups = () => readdir(backups).catch(() => []);
    await expect.poll(listBackups, { interval: 5 }).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await listBackups()).toEqual([expect.stringMatching(/\.unfinished$/)]);
    const again = await openEmbeddedEngine({ dataDirectory });
    await again.backUp(new Date());
    expect(await listBackups(), "the rest of it is removed").toEqual([expect.stringMatching(/\.tar\.gz$/)]);
    await again.close();
    expect(await rowsIn(dataDirectory)).toHaveLength(10_000);
  });

  test("with a path outside its folder, or a link, is refused entirely", async () => {
    const dataDirectory = await copy();
    const engine = await openEmbeddedEngine({ dataDirectory });
    const archive = gunzipSync(await readFile(await engine.backUp(new Date())));
    await engine.close();
    const file = path.join(dataDirectory, "hostile.tar.gz");
    await writeFile(file, "");
    const before = await readdir(dataDirectory);
    for (const [name, type = "5"] of [["/../escaped"], ["//etc/escaped"], ["/base/../../escaped"], ["link", "2"]]) {
      archive.fill(0, 0, 100);
      archive.write(name!, 0, "latin1");
      archive.fill(" ", 148, 156);
      archive.write(type, 156, "latin1");
      const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
      archive.write(`${sum.toString(8).padStart(6, "0")}\0`, 148, "latin1");
      await writeFile(file, gzipSync(archive, { level: 1 }));
      await expect(restoreBackup(dataDirectory, file, new Date()), name).rejects.toThrow(
        "is not a backup that can be restored",
      );
      expect(await readdir(dataDirectory), name).toEqual(before);
      expect(await readdir(testDirectory), name).not.toContain("escaped");
    }
  });
});
