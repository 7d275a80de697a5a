import { chmod, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import { type AddedReel, type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { type Platform, reelAddress } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createExits } from "../../src/adapters/platforms/exits.ts";
import { createPlatformSource } from "../../src/adapters/platforms/platform-source.ts";
import { SourceFailure, type SourceFailureKind } from "../../src/adapters/platforms/source-failure.ts";
import { askInOrder, createReelSources, type NamedSource } from "../../src/adapters/reel-sources.ts";
import type { ReelDetails } from "../../src/ports.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const never = new AbortController().signal;
const clock = { now: () => new Date("2026-01-01T00:00:00Z") };
const reel = reelAddress(instagram, "DLlGZiCOBQ0")!;
const maxBytes = 200_000_000;

type Outcome = SourceFailureKind | "given";

/** Sources that end as they are told, and what becomes of asking them. */
function sourcesOf(ends: readonly (readonly [NamedSource["name"], Outcome | Error])[]) {
  const sourceNames: string[] = [];
  const logged: string[] = [];
  const hints: string[] = [];
  const sources = ends.map(([name, end]): NamedSource => {
    const answer = (): Promise<ReelDetails> => {
      sourceNames.push(name);
      if (end === "given") return Promise.resolve({ caption: "given" } as ReelDetails);
      return Promise.reject(end instanceof Error ? end : new SourceFailure(end, "10.0.0.7 said something internal"));
    };
    return { name, source: { resolve: answer, fetch: answer } };
  });
  const options = { maxBytes, log: (text: string) => logged.push(text), onHint: (text: string) => hints.push(text) };
  return { asked: sourceNames, logged, hints, source: askInOrder(() => sources, options) };
}

describe("the order of sources", () => {
  test.each<[platform: Outcome, ytdlp: Outcome, answer: string, count: number]>([
    ["walled", "given", "given", 2],
    ["changed", "given", "given", 2],
    ["unreachable", "given", "given", 2],
    ["ageGated", "given", "given", 2],
    ["private", "given", "reelPrivate", 1],
    ["deleted", "given", "reelDeleted", 1],
    ["regionGated", "given", "reelRegionRestricted", 1],
    ["notVideo", "given", "notAVideo", 1],
    ["tooLarge", "given", "videoTooLarge", 1],
    ["ageGated", "unreachable", "reelAgeRestricted", 2],
    ["walled", "deleted", "platformRefused", 2],
  ])("where pages end as %s and yt-dlp as %s, callers hear %s", async (platform, ytdlp, answer, count) => {
    const {
      source,
      asked: sourceNames,
      logged,
    } = sourcesOf([
      ["platform", platform],
      ["ytdlp", ytdlp],
    ]);
    for (const ask of [() => source.resolve(reel, never), () => source.fetch(reel, "/nowhere", never)]) {
      const said = await ask().then(
        ({ caption }) => caption,
        (error: unknown) => (error instanceof ServiceError ? `${error.reason}: ${error.message}` : error),
      );
      expect(said).toMatch(new RegExp(`^${answer}(?:: (?!.*10\\.0\\.0)|$)`));
    }
    expect(sourceNames).toHaveLength(2 * count);
    expect(logged[0]).toBe(`source platform did not give instagram DLlGZiCOBQ0: ${platform}`);
  });

  test("a reel that only yt-dlp misses isn't deleted in either order", async () => {
    const { source } = sourcesOf([
      ["ytdlp", "deleted"],
      ["platform", "walled"],
    ]);
    await expect(source.resolve(reel, never)).rejects.toMatchObject({ reason: "platformRefused" });
  });

  test("faults of ours and the caller's leaving go through as they are", async () => {
    const fault = new Error("disk full");
    await expect(
      sourcesOf([
        ["platform", fault],
        ["ytdlp", "given"],
      ]).source.resolve(reel, never),
    ).rejects.toBe(fault);
    const reason = new Error("left");
    const { source } = sourcesOf([["ytdlp", "given"]]);
    await expect(source.resolve(reel, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("a wrongly installed yt-dlp is reported once, only to the operator", async () => {
    const { source, hints } = sourcesOf([
      ["ytdlp", "installation"],
      ["platform", "walled"],
    ]);
    for (const _ of [1, 2, 3])
      await expect(source.resolve(reel, never)).rejects.toMatchObject({ reason: "platformRefused" });
    expect(hints).toEqual([expect.stringContaining('Run "npx --no-install reelscript ytdlp install".')]);
    for (const none of [sourcesOf([]), sourcesOf([["ytdlp", "installation"]])])
      await expect(none.source.resolve(reel, never)).rejects.toMatchObject({ reason: "platformNotSetUp", status: 422 });
  });
});

describe("against a platform", () => {
  const bytes = Buffer.from("the media");
  const folder = directoryOfTests(tmpdir());
  let standin: PlatformStandin;
  let platform: Platform;

  beforeAll(async () => {
    standin = await startPlatformStandin();
    platform = standinPlatform(standin);
  });
  afterAll(() => standin.close());
  beforeEach(() => standin.counters.reset());

  const add = (reel: AddedReel = {}) => reelAddress(platform, standin.addReel({ bytes, ...reel }).code)!;

  test("an old yt-dlp is reported to operators, never used for the stand-in", async () => {
    const program = path.join(folder, "yt-dlp");
    await writeFile(program, "#!/bin/sh\ncase $2 in --version) echo 2025.10.02;; *) echo -----------;; esac\n");
    await chmod(program, 0o755);
    const logged: string[] = [];
    const hints: string[] = [];
    const sources = await createReelSources({
      order: ["ytdlp", "platform"],
      platforms: [platform, instagram],
      ytdlp: { searchPath: folder },
      clock,
      log: (message) => logged.push(message),
      onHint: (hint) => hints.push(hint),
    });
    expect(sources.description).toBe(`yt-dlp 2025.10.02 (91 days old) at ${program}, then the platform's public pages`);
    expect(hints).toEqual([
      `yt-dlp at ${program} can't impersonate a browser, so most reels are hidden from it. Run "npx --no-install reelscript ytdlp install".`,
      'yt-dlp 2025.10.02 is 91 days old, and platforms change. Run "npx --no-install reelscript ytdlp update".',
    ]);
    expect(await sources.resolve(add(), never)).toMatchObject({ platform: "standin" });
    expect(logged).toEqual([]);
  });

  test("a missing yt-dlp is reported, and a named one must exist", async () => {
    const make = (ytdlp: { path?: string; searchPath?: string }) =>
      createReelSources({ order: ["platform", "ytdlp"], platforms: [platform], ytdlp, clock, log: () => undefined });
    expect((await make({ searchPath: path.join(folder, "empty") })).description).toContain("yt-dlp (not found)");
    await expect(make({ path: path.join(folder, "nothing") })).rejects.toThrow(/no program is at/);
    await expect(make({ path: folder })).rejects.toThrow(/no program is at/);
  });

  test("after a wall a platform is paused longer each time, until success", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const moving = { now: () => new Date(now) };
    const pauseAfterWall = { firstSeconds: 60, longestSeconds: 100 };
    const exits = createExits({ platform: platform.name, clock: moving, pauseAfterWall });
    const source = createPlatformSource({ platform, clock: moving, maxBytes, exits });
    const walled = add({ wall: "pleaseWait" });
    const open = add();
    const requestsOf = async (address: typeof walled) => {
      const before = standin.counters.total;
      const kind = await source.resolve(address, never).then(
        () => "read",
        (error: unknown) => (error instanceof SourceFailure ? error.kind : "else"),
      );
      return [kind, standin.counters.total - before];
    };
    expect(await requestsOf(walled)).toEqual(["walled", 5]);
    expect(await requestsOf(open)).toEqual(["walled", 0]);
    now += 59_000;
    expect(await requestsOf(open)).toEqual(["walled", 0]);
    now += 1_000;
    expect(await requestsOf(walled)).toEqual(["walled", 4]);
    now += 99_000;
    expect(await requestsOf(open)).toEqual(["walled", 0]);
    now += 1_000;
    expect(await requestsOf(open)).toEqual(["read", 1]);
    expect(await requestsOf(walled)).toEqual(["walled", 4]);
    now += 60_000;
    expect(await requestsOf(open)).toEqual(["read", 1]);
  });
});
