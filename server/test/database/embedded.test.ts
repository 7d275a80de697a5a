import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { listBackups } from "../../src/adapters/database/backups/backups.ts";
import { noPatience } from "../../src/adapters/database/engine/embedded/directory-lock.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { restoreBackup } from "../../src/adapters/database/backups/restore-backup.ts";
import {
  aCall,
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  mustClaim,
  mustStart,
  start,
  takeTranscript,
  transcribe,
  transcriptOf,
} from "./conformance/fixtures.ts";
import { newId } from "./opened-stores.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { runUpkeep } from "../harness/look-after.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

/** A child is plain JavaScript, so it runs what was built. */
const builtStore = new URL("../../dist/adapters/database/open-store.js", import.meta.url).href;
const program = fileURLToPath(new URL("writing-process.mjs", import.meta.url));

/** A directory with an empty database: creating another takes seconds, copying it does not. */
async function aDatabase(): Promise<string> {
  const directory = directoryOfTest();
  await placeMigratedDatabase(directory);
  return directory;
}

async function open(dataDirectory: string) {
  const store = await openStore({ dataDirectory, newId });
  onTestFinished(() => store.close());
  return store;
}

function startWriting(directory: string): ChildProcess {
  const child = fork(program, [builtStore, directory], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  onTestFinished(() => {
    if (child.exitCode === null) child.kill("SIGKILL");
  });
  return child;
}

/** Collects the ids that the child reports as stored, until there are `enough`. */
function acknowledged(child: ChildProcess, enough: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const ids: string[] = [];
    child.on("message", (id) => {
      if (typeof id === "string") ids.push(id);
      if (ids.length === enough) resolve(ids);
    });
    child.once("exit", (code) => reject(new Error(`The writing process ended with ${code}`)));
  });
}

describe("the embedded database", () => {
  test("keeps its data, in private directories, with one process at a time", async () => {
    const directory = await aDatabase();
    const store = await open(directory);
    const account = await anAccount(store);
    const { reel, transcript } = await transcribe(store, account.id);
    const mode = async (name: string) => (await stat(path.join(directory, name))).mode & 0o777;
    expect(await mode("database")).toBe(0o700);
    expect(await mode("database.lock")).toBe(0o600);
    await expect(openStore({ dataDirectory: directory, newId, lockPatience: noPatience })).rejects.toThrow(
      new RegExp(`in use by process ${process.pid} .*DATA_DIR`),
    );

    await store.close();
    expect(await readdir(directory)).toEqual(["database"]);
    const again = await open(directory);
    expect(await again.accounts.list()).toEqual([account]);
    expect(await takeTranscript(again, reel, account.id, start)).toEqual(transcript);
  });

  test("is created in a new directory, even after an interrupted start", async () => {
    const directory = path.join(directoryOfTest(), "deep", "inside");
    await mkdir(path.join(directory, "database.creating", "half"), { recursive: true });
    const store = await open(directory);
    expect(await store.accounts.list()).toEqual([]);
    expect((await readdir(directory)).toSorted()).toEqual(["database", "database.lock"]);
    expect((await stat(path.join(directory, "database"))).mode & 0o777).toBe(0o700);
  });

  test("is backed up, keeps three backups, and can be restored", async () => {
    const directory = await aDatabase();
    const store = await open(directory);
    const account = await anAccount(store);
    const backups = path.join(directory, "backups");
    const older = ["2026-01-01T00-00-00.000Z", "2026-01-02T00-00-00.000Z", "2026-01-03T00-00-00.000Z"];
    await mkdir(backups);
    for (const name of older) await writeFile(path.join(backups, `${name}.tar.gz`), "no backup");
    const backup = await store.backUp(new Date());
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    const keptBackups = await listBackups(backups);
    expect(keptBackups.map((file) => path.basename(file, ".tar.gz"))).toEqual([
      ...older.slice(1),
      path.basename(backup, ".tar.gz"),
    ]);
    const later = await anAccount(store);
    await expect(restoreBackup(directory, backup, new Date())).rejects.toThrow("in use");
    await store.close();

    await expect(restoreBackup(directory, keptBackups[0] ?? "", new Date())).rejects.toThrow("not a backup");
    expect(await restoreBackup(directory, backup, new Date())).toContain("database.before-");
    const restored = await open(directory);
    expect(await restored.accounts.list()).toEqual([account]);
    expect(await restored.accounts.find(later.id)).toBeUndefined();
    expect((await stat(path.join(directory, "database"))).mode & 0o777).toBe(0o700);
  });

  test("is backed up twice at once, one after the other", async () => {
    const directory = await aDatabase();
    const store = await open(directory);
    const newBackups = await Promise.all([store.backUp(new Date()), store.backUp(new Date())]);
    expect(await listBackups(path.join(directory, "backups"))).toEqual([...new Set(newBackups)]);
    await store.close();
  });

  test("closes during a backup, and leaves no partial backup", async () => {
    const directory = await aDatabase();
    const store = await open(directory);
    const backup = store.backUp(new Date()).then(
      () => "finished",
      () => "ended",
    );
    await store.close();
    await backup;
    const left = await readdir(path.join(directory, "backups"));
    expect(left.filter((name) => !name.endsWith(".tar.gz"))).toEqual([]);
  });
});

describe("looking after", () => {
  test("forgets idle callers only, vacuums, and makes one backup a day", async () => {
    const directory = await aDatabase();
    const store = await open(directory);
    const bucket = { name: "default", limit: 5 } as const;
    await store.rateLimits.take("idle", [bucket], start);
    await store.rateLimits.take("busy", [bucket], after(1));
    await store.rateLimits.take("latest", [bucket], after(3_600));
    await runUpkeep(store, "forget-idle-callers", after(3_600));
    for (const task of ["vacuum-database", "back-up-database", "back-up-database"])
      await runUpkeep(store, task, new Date());
    const remaining = async (subject: string) =>
      (await store.rateLimits.peek(subject, [bucket], after(1)))[0]?.remaining;
    expect([await remaining("idle"), await remaining("busy")]).toEqual([5, 4]);
    expect(await listBackups(path.join(directory, "backups"))).toHaveLength(1);
  });
});

describe("another process", () => {
  test("is refused during use, but not after a kill, and loses nothing", async () => {
    const directory = await aDatabase();
    const stored: string[] = [];
    for (const enough of [8, 15, 22]) {
      const child = startWriting(directory);
      const ids = await acknowledged(child, enough);
      const refusal = await openStore({ dataDirectory: directory, newId, lockPatience: noPatience }).catch(
        (error: unknown) => error,
      );
      expect(String(refusal)).toContain(`in use by process ${child.pid} `);
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
      await once(child, "exit");
      stored.push(...ids);
    }
    const store = await open(directory);
    const states = new Map<string, { used: number; held: number; total: number }>();
    for (const { id } of await store.accounts.list()) {
      const units = await store.allowances.read({ accountId: id, slot: 1 }, "lifetime");
      const { total } = await store.scripts.search(id, { sort: "date", limit: 1 });
      states.set(id, { ...units, total });
    }
    // Each account asked for one reel: acknowledged ones have it, of the others a kill left all of a step or nothing.
    for (const id of stored) expect(states.get(id)).toEqual({ used: 1, held: 0, total: 1 });
    const unfinished = [...states.values()].filter(({ held }) => held > 0);
    for (const { used, held, total } of states.values()) {
      expect(used).toBe(total);
      expect(used + held).toBeLessThanOrEqual(1);
    }
    await store.transcriptions.expireLeases(start);
    expect(await store.transcriptions.queueLength()).toBe(unfinished.length);
    for (let left = unfinished.length; left > 0; left -= 1) {
      const claim = await mustClaim(store);
      expect(await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, start)).toBe(true);
    }
    const account = await anAccount(store);
    expect(await ask(store, aReel(), anAllowance(account.id))).toMatchObject({ kind: "started" });
  });
});

test("a restart loses no response, thumbnail or requested transcription", async () => {
  const directory = await aDatabase();
  const before = await openStore({ dataDirectory: directory, newId });
  const { id: accountId } = await anAccount(before);
  const call = aCall(accountId);
  const begun = await before.idempotentAnswers.begin(call);
  if (begun.kind !== "begun") throw new Error("a fresh key is taken");
  const answer = { output: { id: "trn_1" }, accepted: true };
  await before.idempotentAnswers.keep(begun.token, answer, start);
  const reel = aReel();
  const picture = { bytes: new Uint8Array([1, 2, 3]), width: 3, height: 4 };
  await before.thumbnails.keep(reel, picture, start);
  const transcriptionId = await mustStart(before, accountId, reel);
  await before.close();

  const reopened = await openStore({ dataDirectory: directory, newId });
  onTestFinished(() => reopened.close());
  expect(await reopened.idempotentAnswers.begin(call)).toEqual({ kind: "answered", answer });
  expect([...((await reopened.thumbnails.read(reel))?.bytes ?? [])]).toEqual([1, 2, 3]);
  expect(await reopened.transcriptions.findOwn(accountId, transcriptionId)).toMatchObject({ state: "queued" });
});
