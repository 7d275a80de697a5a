import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { listBackups } from "../../src/adapters/database/backups.ts";
import { lockDirectory } from "../../src/adapters/database/directory-lock.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { restoreBackup } from "../../src/adapters/database/restore-backup.ts";
import {
  anAccount,
  anAllowance,
  aReel,
  ask,
  mustClaim,
  start,
  transcribe,
  transcriptOf,
} from "./conformance/fixtures.ts";
import { newId, openEmbedded, temporaryDirectory } from "./opened-stores.ts";

/** A child is plain JavaScript, so it runs what was built. */
const builtStore = new URL("../../dist/adapters/database/open-store.js", import.meta.url).href;
const program = fileURLToPath(new URL("writing-process.mjs", import.meta.url));

const children: ChildProcess[] = [];
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function aDirectory(): Promise<string> {
  const { directory, remove } = await temporaryDirectory();
  cleanups.push(remove);
  return directory;
}

function startWriting(directory: string): ChildProcess {
  const child = fork(program, [builtStore, directory], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  children.push(child);
  return child;
}

/** What a child has been told is stored, until `enough`. */
function acknowledged(child: ChildProcess, enough: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const ids: string[] = [];
    child.on("message", (id) => {
      ids.push(String(id));
      if (ids.length === enough) resolve(ids);
    });
    child.once("exit", (code) => reject(new Error(`The writing process ended with ${code}`)));
  });
}

describe("the embedded database", () => {
  test(
    "keeps what was stored, in directories that only their owner reads, under one process",
    { timeout: 60_000 },
    async () => {
      const { store, directory, close } = await openEmbedded();
      cleanups.push(close);
      const account = await anAccount(store);
      const { reel, transcript } = await transcribe(store, account.id);
      const mode = async (name: string) => (await stat(path.join(directory, name))).mode & 0o777;
      expect(await mode("database")).toBe(0o700);
      expect(await mode("database.lock")).toBe(0o600);
      await expect(openStore({ dataDirectory: directory, newId })).rejects.toThrow(
        new RegExp(`in use by process ${process.pid} .*DATA_DIR`),
      );

      await store.close();
      expect(await readdir(directory)).toEqual(["database"]);
      const again = await openStore({ dataDirectory: directory, newId });
      cleanups.push(() => again.close());
      expect(await again.accounts.list()).toEqual([account]);
      expect(await again.transcriptions.takeCached(reel, account.id, start)).toEqual(transcript);
    },
  );

  test("is backed up, keeps three backups, and can be restored", { timeout: 90_000 }, async () => {
    const { store, directory, close } = await openEmbedded();
    cleanups.push(close);
    const account = await anAccount(store);
    const first = await store.backUp();
    expect((await stat(path.dirname(first))).mode & 0o777).toBe(0o700);
    const later = await anAccount(store);
    for (let more = 0; more < 3; more += 1) await store.backUp();
    const kept = await listBackups(path.join(directory, "backups"));
    expect(kept).toHaveLength(3);
    expect(kept).not.toContain(first);
    await expect(restoreBackup(directory, kept[0] ?? "")).rejects.toThrow("in use");
    const third = await anAccount(store);
    await store.close();

    const wrong = path.join(directory, "wrong.tar.gz");
    await writeFile(wrong, "no backup");
    await expect(restoreBackup(directory, wrong)).rejects.toThrow("not a backup");
    const aside = await restoreBackup(directory, kept[0] ?? "");
    expect(aside).toBeDefined();
    const restored = await openStore({ dataDirectory: directory, newId });
    cleanups.push(() => restored.close());
    expect(await restored.accounts.list()).toEqual([account, later]);
    expect(await restored.accounts.find(third.id)).toBeUndefined();
  });

  test("closes while it is being backed up, and leaves no half of a backup", { timeout: 60_000 }, async () => {
    const { store, directory, close } = await openEmbedded();
    cleanups.push(close);
    const backup = store.backUp().then(
      () => "finished",
      () => "ended",
    );
    await store.close();
    await backup;
    expect((await readdir(path.join(directory, "backups"))).filter((name) => !name.endsWith(".tar.gz"))).toEqual([]);
  });
});

describe("another process", () => {
  test(
    "is refused while one has the database, and not when that one was killed; nothing acknowledged is lost",
    { timeout: 120_000 },
    async () => {
      const directory = await aDirectory();
      const stored: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const child = startWriting(directory);
        const ids = await acknowledged(child, 20 + round * 7);
        if (round === 0) {
          await expect(openStore({ dataDirectory: directory, newId })).rejects.toThrow(
            `in use by process ${child.pid} `,
          );
        }
        child.removeAllListeners("exit");
        child.kill("SIGKILL");
        await once(child, "exit");
        stored.push(...ids);
      }
      const store = await openStore({ dataDirectory: directory, newId });
      cleanups.push(() => store.close());
      const accounts = await store.accounts.list();
      expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining(stored));
      for (const { id } of accounts) {
        const { used, held } = await store.allowances.read({ accountId: id, slot: 1 }, "lifetime");
        const { total } = await store.scripts.search(id, { sort: "date", limit: 1 });
        // Each account had one reel transcribed: a kill leaves all of a step or nothing.
        expect(used).toBe(total);
        expect(used + held).toBeLessThanOrEqual(1);
        if (stored.includes(id)) expect({ used, held, total }).toEqual({ used: 1, held: 0, total: 1 });
      }
      await store.transcriptions.expireLeases(start);
      const waiting = await store.transcriptions.queueLength();
      for (let open = 0; open < waiting; open += 1) {
        const claim = await mustClaim(store);
        expect(await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, start)).toBe(true);
      }
      const account = await anAccount(store);
      expect(await ask(store, aReel(), anAllowance(account.id))).toMatchObject({ kind: "started" });
    },
  );
});

describe("the lock of a directory", () => {
  test("is free again once released, and passes over what a dead process left", async () => {
    const directory = await aDirectory();
    await (await lockDirectory(directory)).release();
    const file = path.join(directory, "database.lock");
    const left = { pid: 2 ** 22 - 7, startTime: "1", host: (await import("node:os")).hostname(), since: "2026-01-01" };
    await writeFile(file, JSON.stringify(left));
    const lock = await lockDirectory(directory);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  test("does not pass over a process that it cannot see but that wrote a moment ago", async () => {
    const directory = await aDirectory();
    const elsewhere = { pid: process.pid, startTime: "1", host: "another-machine", since: "2026-01-01" };
    await writeFile(path.join(directory, "database.lock"), JSON.stringify(elsewhere));
    await expect(lockDirectory(directory)).rejects.toThrow(
      `process ${process.pid} on another-machine since 2026-01-01`,
    );
  });

  test("is one for every name of the directory", async () => {
    const directory = await aDirectory();
    await mkdir(path.join(directory, "inner"));
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(path.join(directory, "inner", ".."))).rejects.toThrow("in use");
    await lock.release();
  });
});
