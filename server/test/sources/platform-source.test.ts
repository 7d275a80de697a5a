import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type AddedReel,
  allDoors,
  type Door,
  type MediaFault,
  type PlatformStandin,
  startPlatformStandin,
  type StandinReel,
  type WallName,
} from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResolveHost } from "../../src/adapters/guarded-fetch/guarded-lookup.ts";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { type Platform, reelAddress } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createPlatformSource } from "../../src/adapters/platforms/platform-source.ts";
import type { ReelAddress, ReelSource } from "../../src/ports.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const never = new AbortController().signal;
const clock = { now: () => new Date("2026-01-01T00:00:00Z") };
const bytes = Buffer.from("what the media host sends, byte by byte".repeat(1_000));
const maxBytes = 5_000_000;

const folder = directoryOfTests();
let file: string;
let standin: PlatformStandin;
let platform: Platform;
let source: ReelSource;

beforeAll(async () => {
  file = path.join(folder, "media");
  standin = await startPlatformStandin();
  platform = standinPlatform(standin);
  source = createPlatformSource({ platform, clock, maxBytes });
});
afterAll(() => standin.close());
beforeEach(async () => {
  standin.setWall(undefined);
  standin.counters.reset();
  await writeFile(file, "left over");
});

const addressOf = (code: string): ReelAddress => reelAddress(platform, code)!;
const add = (reel: AddedReel): ReelAddress => addressOf(standin.addReel({ bytes, ...reel }).code);

function detailsOf(reel: StandinReel) {
  const { form, likes, comments, caption, owner, takenAt, media } = reel;
  const [first] = media;
  return {
    platform: "standin",
    mediaId: reel.mediaId,
    shortcode: reel.code,
    url: `${standin.origin}/reel/${reel.code}/`,
    caption,
    author: { handle: owner.username, displayName: owner.fullName, verified: owner.verified },
    dimensions: { width: first?.width, height: first?.height, aspectRatio: expect.stringMatching(/^\d+:\d+$/) },
    thumbnail: expect.objectContaining({ url: expect.stringContaining(standin.mediaOrigin) }),
    durationSeconds: expect.closeTo(
      form === "bare" || first?.isWhole === false ? Math.round(first?.seconds ?? 0) : (first?.seconds ?? 0),
      2,
    ),
    hasAudio: first?.hasAudio,
    views: null,
    likes,
    comments,
    // A bare page doesn't state the time, so it follows from the id.
    postedAt: form === "bare" ? expect.stringMatching(/Z$/) : new Date(takenAt * 1_000).toISOString(),
  };
}

describe("what a reel is", () => {
  test("every public reel with one video is read whole", async () => {
    const reels = standin.reels.filter(({ availability, wall, owner, media: [first, second] }) => {
      const isPlainVideo = first?.type === "video" && first.fault?.name !== "link" && second === undefined;
      return availability === "public" && !owner.private && !wall && isPlainVideo;
    });
    expect(reels.length).toBeGreaterThan(3);
    for (const reel of reels) expect(await source.resolve(addressOf(reel.code), never)).toEqual(detailsOf(reel));
  });

  test("media arrive byte for byte, with known requests; resolving makes none", async () => {
    const reel = add({});
    await source.resolve(reel, never);
    expect(standin.counters.of("media")).toBe(0);
    await source.fetch(reel, file, never);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect([standin.counters.of("page"), standin.counters.of("media"), standin.counters.total]).toEqual([2, 1, 3]);
  });

  test("a public post may have the private form of a code", async () => {
    const reel = add({ code: "CpublicoOnew4c2g9KAUTPUl8RVHqiAdAcOOSY0" });
    expect(await source.resolve(reel, never)).toMatchObject({ url: reel.url, shortcode: reel.shortcode });
  });
});

describe("walls", () => {
  test("where one is at every door, each is asked once", async () => {
    const boundedSource = createPlatformSource({ platform, clock, maxBytes });
    await expect(boundedSource.resolve(add({ wall: "pleaseWait" }), never)).rejects.toMatchObject({ kind: "walled" });
    const kinds = Object.entries(standin.counters.snapshot()).filter(([name]) => !name.includes(" "));
    expect(Object.fromEntries(kinds)).toEqual({ page: 1, home: 1, graphql: 1, secondQuery: 1, embed: 1 });
  });

  test.each<[WallName, readonly Door[], Door]>([
    ["pleaseWait", ["page"], "graphql"],
    ["emptyData", ["page"], "graphql"],
    ["htmlInsteadOfJson", ["page"], "graphql"],
    ["serverError", ["page"], "graphql"],
    ["schemaDrift", ["page"], "graphql"],
    ["emptyData", ["page", "graphql"], "secondQuery"],
    ["pleaseWait", allDoors.filter((door) => door !== "embed"), "embed"],
    ["missingCsrf", allDoors.filter((door) => door !== "embed"), "embed"],
    ["serverError", allDoors.filter((door) => door !== "embed"), "embed"],
    ["schemaDrift", allDoors.filter((door) => door !== "embed"), "embed"],
  ])("%s at %j leaves %s", async (wall, wallDoors, open) => {
    const reel = add({ wall, wallDoors, likes: 77 });
    expect(await source.resolve(reel, never)).toMatchObject({ likes: 77 });
    const askedDoors = (["page", "graphql", "secondQuery", "embed"] as const).filter((door) =>
      standin.counters.of(door, reel.shortcode),
    );
    expect(askedDoors.at(-1)).toBe(open);
  });
});

describe("media", () => {
  test.each<MediaFault>([
    { name: "redirect", location: "file:///etc/passwd" },
    { name: "link", url: "http://user:secret@127.0.0.1/video.mp4" },
    { name: "link", url: "no address" },
  ])("%j is not followed", async (fault) => {
    await expect(source.fetch(add({ fault }), file, never)).rejects.toMatchObject({ kind: "changed" });
  });

  test("a caller that leaves is not a failure of the platform", async () => {
    const controller = new AbortController();
    const reason = new Error("left");
    const fetching = source.fetch(add({ fault: { name: "slowDrip" } }), file, controller.signal);
    setTimeout(() => controller.abort(reason), 200);
    await expect(fetching).rejects.toBe(reason);
  });
});

test("a public platform isn't requested at a private address", async () => {
  const reel = reelAddress(instagram, "DLlGZiCOBQ0")!;
  const requestedHosts: string[] = [];
  const resolveHost: ResolveHost = (host, done) => {
    requestedHosts.push(host);
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  const inside = createPlatformSource({ platform: instagram, clock, maxBytes, resolveHost });
  await expect(inside.resolve(reel, never)).rejects.toMatchObject({
    kind: "changed",
    message: expect.stringContaining("not public"),
  });
  expect(new Set(requestedHosts)).toEqual(new Set(["www.instagram.com"]));
});

test("two responses are never mixed: another post's is refused", async () => {
  const { mediaId, code } = standin.addReel({ bytes });
  const other = { ...addressOf(code), mediaId, shortcode: "CenAusten01" };
  await expect(source.resolve(other, never)).rejects.toMatchObject({ kind: "changed" });
});

test("a token that the platform no longer takes is renewed", async () => {
  const freshSource = createPlatformSource({ platform, clock, maxBytes });
  const queried = () => freshSource.resolve(add({ wall: "emptyData", wallDoors: ["page"] }), never);
  await queried();
  standin.renewToken();
  await queried();
  await queried();
  expect([standin.counters.of("home"), standin.counters.of("graphql")]).toEqual([2, 4]);
});
