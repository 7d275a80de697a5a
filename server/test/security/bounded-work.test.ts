import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { createTurns } from "../../src/turns.ts";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { youtubeShorts } from "../../src/adapters/platforms/youtube-shorts.ts";
import { createYtDlpSource } from "../../src/adapters/ytdlp/ytdlp-source.ts";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import type { Account } from "../../src/ports.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { sixteenReels } from "../reports/golden.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

test("owners take turns, one of each at a time, however many wait", async () => {
  const inTurn = createTurns({ atATime: 2, waiting: 5 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) =>
    inTurn(
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      },
      { name: name.slice(0, 1), waiting: 3 },
    );
  const names = ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "d1", "e1"];
  const results = Promise.allSettled(names.map(work));
  // Whoever has many waiting is passed by those who have few, and is not forgotten for them.
  const order = ["a1", "b1", "c1", "d1", "e1", "a2", "a3"];
  for (const name of order) {
    await expect.poll(() => begun).toContain(name);
    expect(begun.length - order.indexOf(name)).toBeLessThanOrEqual(2);
    ends.get(name)!();
  }
  expect(begun).toEqual(order);
  expect(
    (await results).map((result) => (result.status === "fulfilled" ? result.value : String(result.reason))),
  ).toEqual([
    "a1",
    "a2",
    "a3",
    // All places were taken, and e had fewer waiting.
    "TooManyWaiting: more than 5 are waiting",
    "TooManyWaiting: more than 3 are waiting",
    "b1",
    "c1",
    "d1",
    "e1",
  ]);
});

test("four accounts with six waiting pictures leave room for a fifth", async () => {
  const inTurn = createTurns({ atATime: 2, waiting: 24 });
  const ends: (() => void)[] = [];
  const ask = (name: string) =>
    inTurn(() => new Promise<string>((resolve) => ends.push(() => resolve("drawn"))), { name, waiting: 6 }).catch(
      (error: { readonly areOwners: boolean }) => (error.areOwners ? "your others wait" : "too many of all"),
    );
  const greedy = ["a", "b", "c", "d"].flatMap((name) => Array.from({ length: name < "c" ? 7 : 6 }, () => ask(name)));
  const fifth = ask("e");
  const sixth = ask("f");
  const more = ask("a");
  const another = ask("e");
  const settle = async () => {
    for (let round = 0; round < 40; round += 1) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await settle();
  expect(await Promise.all([fifth, sixth, another])).toEqual(["drawn", "drawn", "drawn"]);
  expect(await more).toBe("too many of all");
  const answers = await Promise.all(greedy);
  expect(answers.filter((answer) => answer === "drawn")).toHaveLength(23);
  expect(answers.filter((answer) => answer === "your others wait")).toHaveLength(3);
});

test("yt-dlp runs eight times at once, and twice for an account", async () => {
  const program = path.join(directoryOfTest(tmpdir()), "yt-dlp");
  const endless = `#!${process.execPath}\nsetInterval(() => undefined, 1_000);`;
  await writeFile(program, endless, { mode: 0o755 });
  const searchPath = path.dirname(process.execPath);
  const source = createYtDlpSource({ platform: youtubeShorts, path: program, searchPath, maxBytes: 1_000 });
  const reel = reelAddress(youtubeShorts, "dQw4w9WgXcQ")!;
  const gone = new AbortController();
  const ask = (accountId: string) =>
    source.resolve(reel, gone.signal, accountId).catch((error: unknown) => (gone.signal.aborted ? "left" : error));
  const first = ["one", "one", "two", "two"].map(ask);
  expect(await ask("one"), "others of the account").toMatchObject({ reason: "platformBusy" });
  first.push(...["three", "three", "four", "five"].map(ask));
  for (const refused of await Promise.all(["five", "six"].map(ask)))
    expect(refused).toMatchObject({ reason: "platformBusy" });
  gone.abort();
  expect(new Set(await Promise.all(first))).toEqual(new Set(["left"]));
  await expect(source.resolve(reel, AbortSignal.abort("left"))).rejects.toBe("left");
});

test("a report over the quota is refused before it is made", async () => {
  const account: Account = {
    id: "acc_test",
    email: "",
    name: null,
    plan: "free",
    createdAt: new Date(),
    periodAnchor: null,
    paidPeriod: null,
  };
  const formatSpy = vi.spyOn(Intl, "DateTimeFormat");
  const add = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("nobody told it what to answer")));
  const make = ingestCollection({
    reports: { add, postsUsed: async () => 490 } as never,
    clock: createTestClock(),
  });
  await expect(make(account, sixteenReels)).rejects.toMatchObject({
    code: "limitReached",
    message:
      "The report analyzes 16 reels, and 490 of the plan's 500 are used. Remove some reels or upgrade your plan.",
  });
  expect(add).not.toHaveBeenCalled();
  expect(formatSpy, "no hour of the week was looked at").not.toHaveBeenCalled();
  formatSpy.mockRestore();
});
