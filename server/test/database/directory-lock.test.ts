import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  DirectoryInUse,
  lockDirectory,
  noPatience,
} from "../../src/adapters/database/engine/embedded/directory-lock.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

/** A child is plain JavaScript, so it runs what was built. */
const builtLock = new URL("../../dist/adapters/database/engine/embedded/directory-lock.js", import.meta.url).href;
const program = fileURLToPath(new URL("locking-process.mjs", import.meta.url));

let directory = "";
const warnings: object[] = [];
const log = { info: () => expect.fail("nothing else is said"), warn: (details: object) => void warnings.push(details) };

beforeEach(() => {
  directory = directoryOfTest();
  warnings.splice(0);
});

const file = () => path.join(directory, "database.lock");
const elsewhere = { pid: process.pid, startTime: "1", host: "another-machine", since: "2026-01-01" };
const locked = async () => JSON.parse(await readFile(file(), "utf8")) as { pid: number };

/** Another process that has the lock. */
async function aHolder(endsAfter: number, command = [process.execPath]): Promise<ChildProcess> {
  const [first, ...rest] = [...command, program, builtLock, directory, String(endsAfter)];
  const child = spawn(first!, rest, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(([code]) =>
    expect.fail(`the holder ended with ${code} before it had the lock`),
  );
  await Promise.race([once(child.stdout!, "data"), ended]);
  ended.catch(() => undefined);
  return child;
}

test("is free after release, and ignores a dead process's remains", async () => {
  await (await lockDirectory(directory, noPatience)).release();
  const left = { pid: 2 ** 22 - 7, startTime: "1", host: hostname(), since: "2026-01-01" };
  await writeFile(file(), JSON.stringify(left));
  const lock = await lockDirectory(directory, noPatience);
  expect(await locked()).toMatchObject({ pid: process.pid });
  await lock.release();
});

test("doesn't pass over an invisible process that wrote a moment ago", async () => {
  await writeFile(file(), JSON.stringify(elsewhere));
  await expect(lockDirectory(directory, noPatience)).rejects.toThrow(
    `process ${process.pid} on another-machine since 2026-01-01`,
  );
});

test("is one for every name of the directory", async () => {
  await mkdir(path.join(directory, "inner"));
  const lock = await lockDirectory(directory, noPatience);
  await expect(lockDirectory(path.join(directory, "inner", ".."), noPatience)).rejects.toThrow(DirectoryInUse);
  await lock.release();
});

test("waits for a process that is ending, and says so once", async () => {
  const child = await aHolder(700);
  child.kill("SIGTERM");
  const lock = await lockDirectory(directory, { patience: { ending: 20_000, silent: 0 } }, log);
  expect(await locked()).toMatchObject({ pid: process.pid });
  expect(warnings).toEqual([{ directory, pid: child.pid, host: hostname(), since: expect.any(String) }]);
  await lock.release();
});

test("refuses a process that goes on living", async () => {
  const child = await aHolder(0);
  const refused = lockDirectory(directory, { patience: { ending: 400, silent: 20_000 } }, log);
  await expect(refused).rejects.toThrow(`in use by process ${child.pid} on ${hostname()}`);
  expect(warnings).toHaveLength(1);
});

test("is free immediately after its process was killed, even unnoticed", async () => {
  // The shell becomes a program that never asks how its child ended.
  const parent = await aHolder(0, ["sh", "-c", '"$@" & exec sleep 600', "sh", process.execPath]);
  const { pid } = await locked();
  expect(pid).not.toBe(parent.pid);
  process.kill(pid, "SIGKILL");
  const lock = await lockDirectory(directory, { patience: { ending: 20_000, silent: 0 } });
  expect(process.kill(pid, 0), "a dead process that is not buried").toBe(true);
  await lock.release();
});

test("takes over from another container's silent process, and says so", async () => {
  await writeFile(file(), JSON.stringify(elsewhere));
  const lock = await lockDirectory(directory, { patience: { ending: 0, silent: 20_000 }, silence: 600 }, log);
  expect(await locked()).toMatchObject({ pid: process.pid });
  expect(warnings).toEqual([{ directory, pid: process.pid, host: "another-machine", since: "2026-01-01" }]);
  await lock.release();
});

test("refuses a process of another container that shows signs of life", async () => {
  await writeFile(file(), JSON.stringify(elsewhere));
  const beat = setInterval(() => void utimes(file(), new Date(), new Date()), 100);
  const refused = lockDirectory(directory, { patience: { ending: 500, silent: 20_000 }, silence: 10_000 }, log);
  await expect(refused).rejects.toThrow("on another-machine");
  clearInterval(beat);
});

test("one of several that wait for the same dead process gets it", async () => {
  const long = new Date(Date.now() - 60_000);
  await writeFile(file(), JSON.stringify(elsewhere));
  await utimes(file(), long, long);
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(directory, noPatience)));
  const locks = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  expect(locks).toHaveLength(1);
  await locks[0]!.release();
});
