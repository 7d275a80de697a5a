import { expect, test } from "vitest";
import { createFairLine, type FairLine, NoTurn, type Wait } from "../../src/rules/fair-line.ts";

/** Work of `owner` followed by a number; each begins in its turn and ends when `ends` says so. */
function workIn(line: FairLine) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, wait?: Wait): Promise<string> =>
    line
      .run(
        name.slice(0, 1),
        async () => {
          begun.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return name;
        },
        wait,
      )
      .catch((error: unknown) => (error instanceof NoTurn ? error.reason : String(error)));
  const end = async (name: string): Promise<void> => {
    await expect.poll(() => begun).toContain(name);
    ends.get(name)!();
  };
  return { begun, work, end };
}

test("owners take turns, one of each at a time, however many wait", async () => {
  const { begun, work, end } = workIn(createFairLine({ atATime: 2, perOwner: 1, waiting: 5 }));
  const names = ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "d1", "e1"];
  const results = Promise.all(names.map((name) => work(name, { mostWaiting: 3 })));
  // Whoever has many waiting is passed by those who have few, and is not forgotten for them.
  const order = ["a1", "b1", "c1", "d1", "e1", "a2", "a3"];
  for (const name of order) {
    await expect.poll(() => begun).toContain(name);
    expect(begun.length - order.indexOf(name)).toBeLessThanOrEqual(2);
    await end(name);
  }
  expect(begun).toEqual(order);
  // The fourth lost its position to e, who had fewer waiting; the fifth was one too many of a.
  expect(await results).toEqual(["a1", "a2", "a3", "owners", "owners", "b1", "c1", "d1", "e1"]);
});

test("four owners with six waiting leave room for a fifth", async () => {
  const line = createFairLine({ atATime: 2, perOwner: 1, waiting: 24 });
  const ends: (() => void)[] = [];
  const ask = (name: string) =>
    line
      .run(name, () => new Promise<string>((resolve) => ends.push(() => resolve("done"))), { mostWaiting: 6 })
      .catch((error: NoTurn) => error.reason);
  const greedy = ["a", "b", "c", "d"].flatMap((name) => Array.from({ length: name < "c" ? 7 : 6 }, () => ask(name)));
  const fifth = ask("e");
  const sixth = ask("f");
  const more = ask("a");
  const another = ask("e");
  for (let round = 0; round < 40; round += 1) {
    for (const end of ends.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all([fifth, sixth, another])).toEqual(["done", "done", "done"]);
  expect(await more).toBe("others");
  const answers = await Promise.all(greedy);
  expect(answers.filter((answer) => answer === "done")).toHaveLength(23);
  expect(answers.filter((answer) => answer === "owners")).toHaveLength(3);
});

test("an owner may have several at a time, and never more", async () => {
  const { begun, work, end } = workIn(createFairLine({ atATime: 4, perOwner: 2, waiting: 8 }));
  const results = Promise.all(["a1", "a2", "a3", "a4", "b1"].map((name) => work(name)));
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  await work("c1", { signal: AbortSignal.abort("gone") });
  expect(begun).toEqual(["a1", "a2", "b1"]);
  for (const name of ["a2", "a1", "a3", "a4"]) await end(name);
  expect(await results).toEqual(["a1", "a2", "a3", "a4", "b1"]);
});

test("where nothing may wait, work is refused for its owner's or for everybody's", async () => {
  const { work, end } = workIn(createFairLine({ atATime: 2, perOwner: 1, waiting: 0 }));
  const first = [work("a1"), work("b1")];
  expect(await work("a2")).toBe("owners");
  expect(await work("c1")).toBe("others");
  await end("a1");
  await expect.poll(async () => await first[0]).toBe("a1");
  const second = work("c2");
  await end("c2");
  await end("b1");
  expect(await Promise.all([second, ...first])).toEqual(["c2", "a1", "b1"]);
});

test("work that leaves the line early frees its position, and the next begins all the same", async () => {
  const { begun, work, end } = workIn(createFairLine({ atATime: 1, waiting: 2 }));
  const first = work("a1");
  const gone = new AbortController();
  const canceled = work("b1", { signal: gone.signal });
  expect(await work("b2", { seconds: 0 })).toBe("late");
  gone.abort("gone");
  expect(await canceled).toBe("gone");
  const last = [work("b3"), work("c1")];
  await end("a1");
  await end("b3");
  await end("c1");
  expect(await Promise.all([first, ...last])).toEqual(["a1", "b3", "c1"]);
  expect(begun).toEqual(["a1", "b3", "c1"]);
});

test("a turn that is ended twice frees one, and work that fails frees its own", async () => {
  const line = createFairLine({ atATime: 1, waiting: 2 });
  const leave = await line.enter("a");
  const waiting = line.run("b", () => Promise.reject(new Error("broken")));
  const after = line.enter("c");
  leave();
  leave();
  await expect(waiting).rejects.toThrow("broken");
  const leaveAgain = await after;
  await expect(line.enter("d", { seconds: 0 })).rejects.toMatchObject({ reason: "late" });
  leaveAgain();
  await line.enter("d");
});
