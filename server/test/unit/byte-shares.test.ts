import { setImmediate } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import { createByteShares, type TakenBytes } from "../../src/run/costs.ts";

const inAMinute = () => ({ signal: new AbortController().signal, deadline: performance.now() + 60_000 });

/** Takes bytes, and notes who has them. */
function noting(shares: ReturnType<typeof createByteShares>) {
  const begun: string[] = [];
  const back = new Map<string, TakenBytes>();
  return {
    begun,
    take: async (name: string, owner: string, bytes: number): Promise<void> => {
      const taken = await shares.take(owner, bytes, inAMinute());
      begun.push(name);
      back.set(name, taken);
    },
    leaveProcess: async (name: string): Promise<void> => {
      back.get(name)?.leaveProcess();
      back.get(name)?.leaveProcess();
      await setImmediate();
    },
    end: async (name: string): Promise<void> => {
      back.get(name)?.giveBack();
      back.get(name)?.giveBack();
      await setImmediate();
    },
  };
}

test("an owner has its share at a time, in its own order, and others don't wait for it", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 100, waiting: 10 });
  const { begun, take, end } = noting(shares);
  const all = [take("a1", "a", 6), take("a2", "a", 6), take("a3", "a", 1), take("b1", "b", 10)];
  await setImmediate();
  expect(begun).toEqual(["a1", "b1"]);
  expect(shares.now()).toEqual({ bytes: 16, waiting: 2 });
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "a2", "a3"]);
  for (const name of ["a2", "a3", "b1"]) await end(name);
  await Promise.all(all);
  expect(shares.now()).toEqual({ bytes: 0, waiting: 0 });
});

test("when the process is full, owners take turns, however many calls one of them has", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 10, waiting: 10 });
  const { begun, take, end } = noting(shares);
  const all = [1, 2, 3, 4].map((number) => take(`a${number}`, "a", 10));
  all.push(take("b1", "b", 10), take("c1", "c", 10));
  for (const name of ["a1", "a2", "b1", "c1", "a3", "a4"]) {
    await setImmediate();
    expect(begun.at(-1)).toBe(name);
    await end(name);
  }
  await Promise.all(all);
});

test("what is larger than a share is taken alone, and too many that wait are refused", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 20, waiting: 1 });
  const { begun, take, end } = noting(shares);
  await take("huge", "a", 1_000);
  const next = take("next", "a", 1);
  await expect(take("refused", "a", 1)).rejects.toBeInstanceOf(ServiceError);
  await end("huge");
  await next;
  expect(begun).toEqual(["huge", "next"]);
});

test("who leaves the line, or waits until its deadline, lets those behind pass", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 100, waiting: 10 });
  const { begun, take } = noting(shares);
  await take("a1", "a", 6);
  const leaving = new AbortController();
  const gone = shares.take("a", 9, { signal: leaving.signal, deadline: performance.now() + 60_000 });
  const late = shares.take("a", 9, { signal: new AbortController().signal, deadline: performance.now() });
  const small = take("small", "a", 4);
  const reason = new Error("gone");
  leaving.abort(reason);
  await expect(gone).rejects.toBe(reason);
  await expect(late).rejects.toMatchObject({ code: "rateLimited", reason: "tooManyAtATime" });
  await small;
  expect(begun).toEqual(["a1", "small"]);
});

test("a large call that waits for the process isn't passed by small ones of others", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 12, waiting: 10 });
  const { begun, take, end } = noting(shares);
  await take("a1", "a", 6);
  const all = [take("large", "b", 9), take("c1", "c", 1)];
  await setImmediate();
  expect(begun).toEqual(["a1"]);
  await end("a1");
  await Promise.all(all);
  expect(begun).toEqual(["a1", "large", "c1"]);
});

test("an answer that is slowly read takes its owner's share, and nobody else's", async () => {
  const shares = createByteShares({ ofOwner: 10, ofProcess: 10, waiting: 10 });
  const { begun, take, leaveProcess, end } = noting(shares);
  const all = [take("a1", "a", 10), take("a2", "a", 10), take("b1", "b", 10)];
  await setImmediate();
  await leaveProcess("a1");
  expect(begun).toEqual(["a1", "b1"]);
  expect(shares.now()).toEqual({ bytes: 10, waiting: 1 });
  await end("b1");
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await end("a2");
  await Promise.all(all);
  expect(shares.now()).toEqual({ bytes: 0, waiting: 0 });
});
