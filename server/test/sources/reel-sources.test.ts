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

function fails(name: NamedSource["name"], kind: SourceFailureKind, asked: string[] = []): NamedSource {
  const fail = (): Promise<never> => {
    asked.push(name);
    return Promise.reject(new SourceFailure(kind, "10.0.0.7 said something internal"));
  };
  return { name, source: { resolve: fail, fetch: fail } };
}

function answers(name: NamedSource["name"], details: Partial<ReelDetails>): NamedSource {
  const answer = () => Promise.resolve(details as ReelDetails);
  return { name, source: { resolve: answer, fetch: answer } };
}

const inOrder = (sources: readonly NamedSource[], logged: string[] = []) =>
  askInOrder(() => sources, { maxBytes, log: (message) => logged.push(message) });

describe("the order of sources", () => {
  test.each<SourceFailureKind>(["walled", "changed", "unreachable", "ageGated"])(
    "after %s the next source is asked",
    async (kind) => {
      const both = inOrder([fails("platform", kind), answers("ytdlp", { caption: "from the second" })]);
      expect(await both.resolve(reel, never)).toEqual({ caption: "from the second" });
      expect(await both.fetch(reel, "/nowhere", never)).toEqual({ caption: "from the second" });
    },
  );

  test.each<SourceFailureKind>(["private", "deleted", "regionGated", "notVideo", "tooLarge"])(
    "%s ends it",
    async (kind) => {
      const asked: string[] = [];
      const both = inOrder([fails("platform", kind, asked), fails("ytdlp", "walled", asked)]);
      await expect(both.resolve(reel, never)).rejects.toBeInstanceOf(ServiceError);
      expect(asked).toEqual(["platform"]);
    },
  );

  test("when all fail the first failure is told, each is logged, and callers hear nothing internal", async () => {
    const logged: string[] = [];
    const both = inOrder([fails("platform", "ageGated"), fails("ytdlp", "unreachable")], logged);
    const message = expect.not.stringContaining("10.0.0.7");
    await expect(both.resolve(reel, never)).rejects.toMatchObject({ reason: "reelAgeRestricted", message });
    expect(logged).toEqual([
      "source platform did not give instagram DLlGZiCOBQ0: ageGated",
      "source ytdlp did not give instagram DLlGZiCOBQ0: unreachable",
    ]);
  });

  test("without a source the answer is an upstream error", async () => {
    await expect(inOrder([]).resolve(reel, never)).rejects.toMatchObject({ code: "upstreamError", status: 502 });
  });

  test("faults of ours and the caller's leaving go through as they are", async () => {
    const fault = new Error("disk full");
    const broken: NamedSource = {
      name: "platform",
      source: { resolve: () => Promise.reject(fault), fetch: () => Promise.reject(fault) },
    };
    await expect(inOrder([broken, answers("ytdlp", {})]).resolve(reel, never)).rejects.toBe(fault);
    const reason = new Error("left");
    await expect(inOrder([answers("ytdlp", {})]).resolve(reel, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("a yt-dlp that is not installed as it must be", () => {
  test("is named once to the operator, and never to callers", async () => {
    const hints: string[] = [];
    const ask = (...sources: NamedSource[]) =>
      askInOrder(() => sources, { maxBytes, log: () => undefined, onHint: (hint) => hints.push(hint) });
    const broken = fails("ytdlp", "installation");
    const both = ask(broken, fails("platform", "walled"));
    for (const _ of [1, 2, 3])
      await expect(both.resolve(reel, never)).rejects.toMatchObject({ reason: "platformRefused" });
    expect(hints).toEqual([expect.stringContaining('Run "npx --no-install reelscript ytdlp install".')]);
    await expect(ask(broken).resolve(reel, never)).rejects.toMatchObject({ reason: "platformNotSetUp" });
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

  test("an old yt-dlp is named to the operator, and the stand-in is never asked through it", async () => {
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

  test("a missing yt-dlp is told, and one that is named must be there", async () => {
    const make = (ytdlp: { path?: string; searchPath?: string }) =>
      createReelSources({ order: ["platform", "ytdlp"], platforms: [platform], ytdlp, clock, log: () => undefined });
    expect((await make({ searchPath: path.join(folder, "empty") })).description).toContain("yt-dlp (not found)");
    await expect(make({ path: path.join(folder, "nothing") })).rejects.toThrow(/no program is at/);
    await expect(make({ path: folder })).rejects.toThrow(/no program is at/);
  });

  test("after a wall a public platform is left alone, longer each time, until it answers again", async () => {
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

test.each([["platform", "ytdlp"] as const, ["ytdlp", "platform"] as const])(
  "that yt-dlp alone misses a reel is no deletion: %s, then %s",
  async (...order) => {
    const both = order.map((name) => fails(name, name === "ytdlp" ? "deleted" : "walled"));
    await expect(inOrder(both).resolve(reel, never)).rejects.toMatchObject({ reason: "platformRefused" });
  },
);
