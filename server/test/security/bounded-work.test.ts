import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { youtubeShorts } from "../../src/adapters/platforms/youtube-shorts.ts";
import { createYtDlpSource } from "../../src/adapters/ytdlp/ytdlp-source.ts";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import type { Account } from "../../src/ports.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { sixteenReels } from "../reports/golden.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

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
