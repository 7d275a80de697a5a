import { chmod, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import { type PlatformStandin, startPlatformStandin, type WallName } from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FetchLimits } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";
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
const reel = reelAddress(instagram, "DLlGZiCOBQ0");
if (reel === undefined) throw new Error("no address");
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

describe("failures as callers see them", () => {
  test.each<[SourceFailureKind, string, number, RegExp]>([
    ["private", "notFound", 404, /is private/],
    ["deleted", "notFound", 404, /was deleted or never existed/],
    ["ageGated", "notFound", 404, /age-restricted/],
    ["regionGated", "notFound", 404, /not shown in every region/],
    ["walled", "upstreamError", 502, /not letting us fetch.*Try again in a few minutes/],
    ["changed", "upstreamError", 502, /changed how it answers/],
    ["unreachable", "upstreamError", 502, /couldn't reach the platform/],
    ["notVideo", "invalidRequest", 422, /has no video/],
    ["tooLarge", "invalidRequest", 422, /at most 200 MB/],
  ])("%s is %s %i", async (kind, code, status, message) => {
    const logged: string[] = [];
    const error = await inOrder([fails("platform", kind)], logged)
      .resolve(reel, never)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code, status, message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.not.stringContaining("10.0.0.7") });
    expect(logged).toEqual([`source platform did not give instagram DLlGZiCOBQ0: ${kind}`]);
  });
});

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

  test("when all fail the first failure is told", async () => {
    const both = inOrder([fails("platform", "ageGated"), fails("ytdlp", "unreachable")]);
    await expect(both.resolve(reel, never)).rejects.toMatchObject({ code: "notFound" });
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

  const add = (wall?: WallName) => {
    const address = reelAddress(platform, standin.addReel({ bytes, ...(wall && { wall }) }).code);
    if (address === undefined) throw new Error("no address");
    return address;
  };

  test("the details and the media come through, and the sources say what they are", async () => {
    const sources = await createReelSources({
      order: ["platform"],
      platforms: [platform],
      clock,
      log: () => undefined,
    });
    const file = path.join(folder, "media");
    expect(await sources.fetch(add(), file, never)).toMatchObject({ platform: "standin", durationSeconds: 10 });
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(sources.description).toBe("the platform's public pages");
  });

  test("every reel that stands for something ends as documented", async () => {
    const make = (limits: Partial<FetchLimits>) =>
      createReelSources({
        order: ["platform"],
        platforms: [platform],
        maxBytes: 20_000_000,
        // The stand-in's, by which addresses of media run out.
        clock: { now: () => new Date() },
        log: () => undefined,
        limits,
      });
    const patient = await make({});
    const hasty = await make({ pageSeconds: 1, mediaSeconds: 1 });
    const statusOf = (code: string, kind: string) => {
      const address = reelAddress(platform, code);
      if (address === undefined) throw new Error(`${code} is no code`);
      const neverEnds = kind === "wall:slowDrip" || kind === "slowMedia";
      return (neverEnds ? hasty : patient).fetch(address, path.join(folder, "media"), never).then(
        () => 200,
        (error: unknown) => (error instanceof ServiceError ? error.status : error),
      );
    };
    const ended: Record<string, unknown> = {};
    for (const { code, kind, wall, availability, media } of standin.reels)
      if (wall || availability !== "public" || media.some(({ type, fault }) => fault || type === "photo"))
        ended[kind] = await statusOf(code, kind);
    expect(ended).toEqual({
      photo: 422,
      private: 404,
      privateShortCode: 404,
      deleted: 404,
      ageGated: 404,
      regionGated: 404,
      gatedWithoutReason: 404,
      unknownToPage: 200,
      unknownToQuery: 200,
      "wall:pleaseWait": 502,
      "wall:tooManyRequests": 502,
      "wall:loginRedirect": 502,
      "wall:loginRoute": 502,
      "wall:homeRedirect": 502,
      "wall:emptyData": 502,
      "wall:missingCsrf": 502,
      "wall:htmlInsteadOfJson": 502,
      "wall:schemaDrift": 502,
      "wall:slowDrip": 502,
      "wall:midBodyCut": 502,
      "wall:serverError": 502,
      "wall:endlessJson": 502,
      embedOnly: 200,
      pageOnly: 200,
      jsonWalled: 200,
      jsonDrifted: 200,
      expiredMedia: 502,
      endedOnceMedia: 200,
      missingMedia: 502,
      cutMedia: 502,
      lengthTooLong: 502,
      lengthTooShort: 502,
      slowMedia: 502,
      endlessMedia: 422,
      hugeMedia: 422,
      redirectToPrivate: 502,
      redirectToForbidden: 502,
      redirectLoop: 502,
      linkToPrivate: 502,
      linkToFile: 502,
      wrongContentType: 200,
    });
    expect(standin.counters.of("forbidden")).toBe(0);
  });

  test("a wall is an upstream error, and the next reel is asked for all the same", async () => {
    const sources = await createReelSources({
      order: ["platform"],
      platforms: [platform],
      clock,
      log: () => undefined,
    });
    await expect(sources.resolve(add("pleaseWait"), never)).rejects.toMatchObject({
      code: "upstreamError",
      status: 502,
    });
    expect(await sources.resolve(add(), never)).toMatchObject({ platform: "standin" });
  });

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
    const walled = add("pleaseWait");
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
