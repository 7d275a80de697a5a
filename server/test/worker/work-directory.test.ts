import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openWorkDirectory } from "../../src/start/work-directory.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

let directory: string;
beforeEach(() => void (directory = directoryOfTest()));

const entries = async () => (await readdir(path.join(directory, "work"))).toSorted();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const faults: unknown[] = [];
const onFault = (error: unknown): void => void faults.push(error);

test("two processes with one id each remove only their own folder", async () => {
  const one = await openWorkDirectory(directory);
  const other = await openWorkDirectory(directory);
  expect(one.path).not.toBe(other.path);
  await writeFile(path.join(one.path, "media"), "in hand");
  const third = await openWorkDirectory(directory);
  expect(await readdir(one.path)).toContain("media");
  expect((await stat(one.path)).mode & 0o077).toBe(0);
  await third.close();
  await one.close();
  expect(await entries()).toEqual([path.basename(other.path)]);
  await other.close();
  expect(await entries()).toEqual([]);
});

test("a dead process's folder is removed while another process runs", async () => {
  const dead = path.join(directory, "work", "process-dead");
  await mkdir(path.join(dead, "reel-1"), { recursive: true });
  await writeFile(path.join(dead, "alive"), "");
  const alive = await openWorkDirectory(directory, { beat: 20, onFault });
  expect(await entries()).toHaveLength(2);
  await utimes(path.join(dead, "alive"), ago(6), ago(6));
  await expect.poll(entries).toEqual([path.basename(alive.path)]);
  await alive.close();
  expect(faults).toEqual([]);
});

test("folders without a sign of life are removed when they are old", async () => {
  const work = path.join(directory, "work");
  await mkdir(path.join(work, "1"), { recursive: true });
  await mkdir(path.join(work, "2"));
  await utimes(path.join(work, "1"), ago(6), ago(6));
  const opened = await openWorkDirectory(directory);
  expect(await entries()).toEqual(["2", path.basename(opened.path)]);
  await opened.close();
});

test("a process that was taken for dead gets its folder back", async () => {
  const opened = await openWorkDirectory(directory, { beat: 20, onFault });
  await rm(opened.path, { recursive: true });
  await expect.poll(entries).toEqual([path.basename(opened.path)]);
  await expect.poll(async () => readdir(opened.path)).toEqual(["alive"]);
  await opened.close();
  expect(faults).toEqual([]);
});
