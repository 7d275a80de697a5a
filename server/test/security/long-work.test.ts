import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LongJobs } from "../../src/ports.ts";
import { createLongWork, type JobLimits } from "../../src/threads/create-long-work.ts";
import { sixteenReels } from "../reports/golden.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

/** Does what the handle says, and answers how many jobs its thread has been given. */
const obedient = `
import { parentPort } from "node:worker_threads";
let jobs = 0;
parentPort.on("message", ({ given }) => {
  jobs += 1;
  const { handle } = given.collection;
  if (handle === "hang") for (;;);
  if (handle === "die") process.exit(1);
  if (handle === "dieTheFirstTime" && jobs > 1) process.exit(1);
  if (handle === "throw") throw new Error("an uncaught one");
  if (handle === "grow") for (const all = []; ; ) all.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  parentPort.postMessage({ result: { reels: jobs, report: undefined } });
});`;

type Report = LongJobs["makeReport"];

async function obedientWork(limits: JobLimits = {}) {
  const program = path.join(directoryOfTest(tmpdir()), "thread.mjs");
  await writeFile(program, obedient);
  const work = createLongWork({ program, ...limits });
  onTestFinished(() => work.close());
  /** Makes a job that is long enough to go to a thread. */
  const longJob = (handle: string): Report["given"] => ({
    collection: { ...sixteenReels, handle, reels: new Uint8Array(20_000) },
    timezone: "UTC",
    collectedAt: new Date(),
    mostReels: null,
  });
  return (handle: string, owner: string): Promise<Report["result"]> => work.do("makeReport", longJob(handle), owner);
}

test.each([
  ["hang", 10, "makeReport took more than 10 s"],
  ["grow", 60, "makeReport took too much memory"],
  ["die", 60, "makeReport was not done: its thread ended"],
  ["throw", 60, "makeReport was not done: its thread ended"],
])("a thread that must %s is replaced, and fails no other job", async (what, longestSeconds, message) => {
  const work = await obedientWork({ longestSeconds, megabytes: 16 });
  const others = ["b", "c", "d"].map((owner) => work("answer", owner));
  await expect(work(what, "a")).rejects.toThrow(message);
  expect(await Promise.all(others)).toHaveLength(3);
  expect(await Promise.all([work("answer", "a"), work("answer", "b")])).toHaveLength(2);
});

test("a job whose old thread dies is done by a new one", async () => {
  const work = await obedientWork();
  expect(await work("answer", "a")).toMatchObject({ reels: 1 });
  expect(await work("dieTheFirstTime", "a")).toMatchObject({ reels: 1 });
});

test("an account with many jobs holds one thread, and others their turn", async () => {
  const work = await obedientWork({ longestSeconds: 10 });
  const ended: string[] = [];
  const noted = (handle: string, owner: string) =>
    work(handle, owner)
      .catch(() => undefined)
      .then(() => ended.push(`${owner} ${handle}`));
  await Promise.all([
    noted("hang", "greedy"),
    ...Array.from({ length: 4 }, () => noted("answer", "greedy")),
    noted("answer", "quiet"),
    noted("answer", "quieter"),
  ]);
  expect(ended.slice(0, 3)).toEqual(["quiet answer", "quieter answer", "greedy hang"]);
});

test("jobs that wait are bounded, of an account and of all", async () => {
  const work = await obedientWork();
  const refusals = async (owners: readonly string[]) => {
    const ends = await Promise.allSettled(owners.map((owner) => work("answer", owner)));
    return ends.flatMap((end) => (end.status === "rejected" ? [(end.reason as { code: string }).code] : []));
  };
  // One is done and sixteen wait.
  expect(await refusals(Array.from({ length: 20 }, () => "one"))).toEqual(
    Array.from({ length: 3 }, () => "rateLimited"),
  );
  // Two are done and 64 wait.
  expect(await refusals(Array.from({ length: 70 }, (_, index) => `account ${index}`))).toEqual(
    Array.from({ length: 4 }, () => "unavailable"),
  );
});
