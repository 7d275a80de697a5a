import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import { sixteenReels, sixteenReelsFindings } from "../reports/golden.ts";
import { operate, runClient } from "./run-program.ts";
import { recognizer } from "./recognizer.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const clock = { now: () => new Date("2026-11-20T10:00:00.000Z") };

const data = directoryOfTests();
let account: string;
beforeAll(async () => {
  await (await openOwnStore()).close();
  account = (await run(["account", "create", "--email", "ada@example.org"])).lastLine;
});

async function openOwnStore() {
  await placeMigratedDatabase(data);
  return openStore({ dataDirectory: data, newId: createNewId() });
}
const operateOptions = { directory: data, environment: { DATA_DIR: data } };
const run = (args: readonly string[]) => operate(args, operateOptions);
const importFile = (file: string, ...more: string[]) => run(["report", "import", "--account", account, file, ...more]);

async function write(name: string, content: unknown): Promise<string> {
  const text = typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
  await writeFile(path.join(data, name), text);
  return name;
}

async function withStore<Result>(work: (store: OpenedStore) => Promise<Result>): Promise<Result> {
  const store = await openOwnStore();
  return work(store).finally(() => store.close());
}

describe("report import", () => {
  it("makes a report from a file without a service, and from stdin", async () => {
    const file = await write("collected.json", sixteenReels);
    const result = await importFile(file);
    expect(result).toMatchObject({ code: 0, stderr: "", lastLine: expect.stringMatching(/^rep_[0-9A-Za-z]{16}$/) });
    expect(result.stdout).toContain("Handle   @cook.daily\nReels    16\nCreated  2026-09-30 00:00 UTC\n");

    const again = { url: "m.instagram.com/p/R8/?igsh=1\u200B" };
    const reels = JSON.stringify({ ...sixteenReels, handle: "@Piped", reels: [...sixteenReels.reels, again] });
    const piped = await runClient(["report", "import", "--account", account, "-", "--json"], operateOptions, reels);
    expect([piped.code, piped.stderr]).toEqual([0, ""]);
    expect(JSON.parse(piped.stdout)).toEqual({
      id: expect.stringMatching(/^rep_/),
      handle: "piped",
      createdAt: "2026-09-30T00:00:00.000Z",
      reelsAnalyzed: 16,
    });

    await withStore(async (store) => {
      expect((await store.reports.find(account, result.lastLine))?.findings).toMatchObject(sixteenReelsFindings);
      expect((await store.reports.list(account, { limit: 10 })).reports).toHaveLength(2);
      expect(await store.reports.postsUsed(account, "lifetime")).toBe(32);
    });
  });

  it("uses the service that holds the store, for large files too", async () => {
    const reels = Array.from({ length: 400 }, (_, index) => ({
      url: `https://www.instagram.com/reel/L${index}/`,
      caption: "ü".repeat(4_000),
    }));
    const file = await write("large.json", { ...sixteenReels, handle: "large", reels });
    await withStore(async (store) => {
      const before = await store.reports.postsUsed(account, "lifetime");
      const socket = await startAdminSocket({ path: adminSocketPath(data), store, clock, recognizer });
      try {
        const result = await importFile(file);
        expect([result.code, result.stderr]).toEqual([0, ""]);
        expect(await store.reports.find(account, result.lastLine)).toMatchObject({
          handle: "large",
          reelsAnalyzed: 400,
        });
        const again = await importFile(file);
        expect(again).toMatchObject({ code: 1, stdout: "" });
        expect(again.stderr).toMatch(/^error: The report analyzes 400 reels, and \d+ of the plan's 500 are used/);
        expect(await store.reports.postsUsed(account, "lifetime")).toBe(before + 400);
      } finally {
        await socket.close();
      }
    });
  });

  it.each<[string, unknown, RegExp]>([
    ["is no JSON", "{", /is not JSON in UTF-8/],
    ["is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), /is not JSON in UTF-8/],
    ["is something else", [1], /holds no collected reels: .*expected object/],
    ["names a field that nobody knows", { ...sixteenReels, color: 1 }, /color/],
    ["has mistakes in many reels", { ...sixteenReels, reels: Array(9).fill({}) }, /reels\.0\.url: .*; and 4 more/],
    ["has no time zone", { ...sixteenReels, timezone: "Mars" }, /timezone: must be an IANA time zone/],
    ["is too large", `"${"x".repeat(8_000_000)}"`, /is larger than 8000000 bytes/],
  ])("says what is wrong with a file that %s", async (_name, content, message) => {
    const { code, stdout, stderr } = await importFile(await write("wrong.json", content));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.length).toBeLessThan(1_000);
  });

  it("says which file or account is unknown, and what is missing", async () => {
    expect((await importFile("nowhere.json")).stderr).toMatch(/^error: cannot find the file .*nowhere\.json/);
    expect((await importFile(".")).stderr).toMatch(/^error: .* cannot be read \(EISDIR\)/);
    const file = await write("collected.json", sixteenReels);
    expect(await run(["report", "import", "--account", "acc_0000000000000000", file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: no account has the id acc_0000000000000000/),
    });
    expect(await run(["report", "import", "--account", account])).toMatchObject({ code: 2 });
    expect(await run(["report", "import", file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--account is missing"),
    });
  });
});
