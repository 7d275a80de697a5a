import { expect, test } from "vitest";
import { keptBriefly } from "../../src/features/bio/kept-briefly.ts";

const from = Date.parse("2026-03-01T12:00:00Z");

function aPlace(most = 10) {
  let now = from;
  const reads: string[] = [];
  let held: Promise<unknown> = Promise.resolve();
  const kept = keptBriefly(
    async (key: string) => {
      const result = { key, number: reads.push(key), until: from + 5_000 };
      await held;
      return result;
    },
    { milliseconds: 1_000, most, holds: ({ key, until }, at) => key !== "missing" && at.getTime() < until },
    { now: () => new Date(now) },
  );
  return {
    ...kept,
    reads,
    setTime: (milliseconds: number) => (now = from + milliseconds),
    hold: () => {
      let release = (): void => undefined;
      held = new Promise<void>((resolve) => (release = resolve));
      return release;
    },
  };
}

test("reads again after the time, and when the clock was set back", async () => {
  const { read, reads, setTime } = aPlace();
  const first = await read("lena");
  setTime(999);
  expect(await read("lena")).toBe(first);
  setTime(1_000);
  expect(await read("lena")).not.toBe(first);
  setTime(-1);
  await read("lena");
  expect(reads).toHaveLength(3);
});

test("reads again when the result no longer holds, and keeps nothing that never does", async () => {
  const { read, reads, setTime } = aPlace();
  setTime(4_900);
  await read("lena");
  await read("lena");
  expect(reads).toHaveLength(1);
  setTime(5_000);
  await read("lena");
  await read("lena");
  expect(reads).toHaveLength(3);
  for (let time = 0; time < 3; time += 1) await read("missing");
  expect(reads).toHaveLength(6);
});

test("keeps no result that was being read when everything was forgotten", async () => {
  const { read, reads, forget, hold } = aPlace();
  const release = hold();
  const before = read("lena");
  forget();
  release();
  await before;
  await read("lena");
  await read("lena");
  expect(reads).toHaveLength(2);
});

test("keeps so many at most, whatever is asked for", async () => {
  const { read, reads } = aPlace(2);
  for (const key of ["ada", "lena", "missing", "missing", "lena", "ada"]) await read(key);
  expect(reads).toEqual(["ada", "lena", "missing", "missing"]);
  await read("mia");
  await read("ada");
  expect(reads.slice(4)).toEqual(["mia", "ada"]);
});
