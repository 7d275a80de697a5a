import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type AddedReel,
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
/** For what never ends by itself; all else may take its time. */
let hasty: ReelSource;

beforeAll(async () => {
  file = path.join(folder, "media");
  standin = await startPlatformStandin();
  platform = standinPlatform(standin);
  source = createPlatformSource({ platform, clock, maxBytes });
  hasty = createPlatformSource({ platform, clock, maxBytes, limits: { pageSeconds: 1, mediaSeconds: 1 } });
});
afterAll(() => standin.close());
beforeEach(async () => {
  standin.setWall(undefined);
  standin.counters.reset();
  await writeFile(file, "left over");
});

function addressOf(code: string): ReelAddress {
  const address = reelAddress(platform, code);
  if (address === undefined) throw new Error(`${code} is no code`);
  return address;
}

function add(reel: AddedReel): ReelAddress {
  return addressOf(standin.addReel({ bytes, ...reel }).code);
}

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
    // Where it isn't said, it follows from the id.
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

  test("the media arrives byte for byte, with a known number of requests", async () => {
    const reel = add({});
    await source.fetch(reel, file, never);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(standin.counters.snapshot()).toMatchObject({ page: 1, media: 1 });
    expect(standin.counters.total).toBe(2);
  });

  test("what the platform does not tell is null", async () => {
    const reel = add({
      caption: null,
      likes: null,
      hasAudio: false,
      width: 720,
      height: 1280,
    });
    expect(await source.resolve(reel, never)).toMatchObject({
      caption: null,
      likes: null,
      views: null,
      hasAudio: false,
      dimensions: { width: 720, height: 1280, aspectRatio: "9:16" },
    });
  });

  test("a deleted reel and one that never was", async () => {
    await expect(source.resolve(add({ availability: "deleted" }), never)).rejects.toMatchObject({ kind: "deleted" });
    await expect(source.resolve(addressOf("CnobodyHere"), never)).rejects.toMatchObject({ kind: "deleted" });
    expect([standin.counters.of("embed"), standin.counters.of("page"), standin.counters.of("graphql")]).toEqual([
      0, 2, 2,
    ]);
  });

  test("an age-gated reel", async () => {
    await expect(source.resolve(add({ availability: "ageGated" }), never)).rejects.toMatchObject({ kind: "ageGated" });
  });

  test("the private form of a code: private, or public all the same", async () => {
    const suffix = "w4c2g9KAUTPUl8RVHqiAdAcOOSY0";
    const hidden = add({ code: `CprivateOne${suffix}`, availability: "private" });
    await expect(source.resolve(hidden, never)).rejects.toMatchObject({ kind: "private" });
    const shown = add({ code: `CpublicoOne${suffix}` });
    expect(await source.resolve(shown, never)).toMatchObject({ url: shown.url, shortcode: shown.shortcode });
  });
});

test("a private reel differs from a deleted one", async () => {
  await expect(source.resolve(add({ availability: "private" }), never)).rejects.toMatchObject({ kind: "private" });
});

describe("walls", () => {
  test.each<[WallName, string]>([
    ["pleaseWait", "walled"],
    ["tooManyRequests", "walled"],
    ["loginRedirect", "walled"],
    ["loginRoute", "walled"],
    ["homeRedirect", "walled"],
    ["emptyData", "walled"],
    ["missingCsrf", "walled"],
    ["htmlInsteadOfJson", "walled"],
    ["schemaDrift", "changed"],
    ["serverError", "unreachable"],
  ])("%s at every door is %s, after each was asked once", async (wall, kind) => {
    const asked = createPlatformSource({ platform, clock, maxBytes });
    await expect(asked.fetch(add({ wall }), file, never)).rejects.toMatchObject({ kind });
    const kinds = Object.entries(standin.counters.snapshot()).filter(([name]) => !name.includes(" "));
    expect(Object.fromEntries(kinds)).toEqual({ page: 1, home: 1, graphql: 1, secondQuery: 1, embed: 1 });
  });

  test.each<WallName>(["slowDrip", "midBodyCut", "endlessJson"])(
    "%s at every door is given up in time",
    async (wall) => {
      const asked = wall === "slowDrip" ? hasty : source;
      await expect(asked.resolve(add({ wall }), never)).rejects.toMatchObject({
        kind: wall === "endlessJson" ? "changed" : "unreachable",
      });
    },
  );

  test.each<WallName>(["pleaseWait", "emptyData", "htmlInsteadOfJson", "missingCsrf", "serverError", "schemaDrift"])(
    "%s at all but the embed page leaves that",
    async (wall) => {
      const reel = add({ wall, wallDoors: ["page", "ruling", "graphql", "secondQuery"], likes: 77 });
      expect(await source.resolve(reel, never)).toMatchObject({ likes: 77 });
      expect(standin.counters.of("embed", reel.shortcode)).toBe(1);
    },
  );

  test.each<WallName>(["pleaseWait", "emptyData", "htmlInsteadOfJson", "serverError", "schemaDrift"])(
    "%s at the page alone leaves its query",
    async (wall) => {
      const reel = add({ wall, wallDoors: ["page"], likes: 78 });
      expect(await source.resolve(reel, never)).toMatchObject({ likes: 78 });
      expect([standin.counters.of("graphql", reel.shortcode), standin.counters.of("embed")]).toEqual([1, 0]);
    },
  );

  test("a page and first query without data leave the second query", async () => {
    const reel = add({ wall: "emptyData", wallDoors: ["page", "graphql"], likes: 79 });
    expect(await source.resolve(reel, never)).toMatchObject({ likes: 79 });
    expect(standin.counters.of("secondQuery", reel.shortcode)).toBe(1);
  });

  test("an address that is no platform at all is not a deleted reel", async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lost = createPlatformSource({ platform: { ...platform, origin }, clock, maxBytes });
    await expect(lost.resolve(addressOf("CenAusten01"), never)).rejects.toMatchObject({ kind: "changed" });
    server.close();
  });

  test("an absent platform is unreachable", async () => {
    const absent = await startPlatformStandin();
    await absent.close();
    const lonely = standinPlatform(absent);
    const address = { ...addressOf("CenAusten01"), url: `${lonely.origin}/reel/CenAusten01/` };
    const asked = createPlatformSource({ platform: lonely, clock, maxBytes }).resolve(address, never);
    await expect(asked).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("media", () => {
  test.each<[MediaFault, string]>([
    [{ name: "expiredLink" }, "unreachable"],
    [{ name: "notFound" }, "unreachable"],
    [{ name: "midBodyCut" }, "unreachable"],
    [{ name: "lengthTooLong" }, "unreachable"],
    [{ name: "lengthTooShort" }, "unreachable"],
    [{ name: "slowDrip" }, "unreachable"],
    [{ name: "endlessBody" }, "tooLarge"],
    [{ name: "declaredBytes", bytes: 100_000_000 }, "tooLarge"],
    [{ name: "redirect", location: "http://169.254.169.254/latest/meta-data/" }, "changed"],
    [{ name: "redirect", location: "file:///etc/passwd" }, "changed"],
    [{ name: "redirectToForbidden" }, "changed"],
    [{ name: "redirectLoop" }, "changed"],
    [{ name: "link", url: "http://127.0.0.1:1/video.mp4" }, "changed"],
    [{ name: "link", url: "http://user:secret@127.0.0.1/video.mp4" }, "changed"],
    [{ name: "link", url: "file:///etc/passwd" }, "changed"],
    [{ name: "link", url: "no address" }, "changed"],
  ])("%j is %s", async (fault, kind) => {
    const asked = fault.name === "slowDrip" ? hasty : source;
    await expect(asked.fetch(add({ fault }), file, never)).rejects.toMatchObject({ kind });
    expect(standin.counters.of("forbidden")).toBe(0);
  });

  test("what the media host calls the bytes does not matter", async () => {
    await source.fetch(add({ fault: { name: "contentType", type: "text/html" } }), file, never);
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  test("resolving asks for no media", async () => {
    await source.resolve(add({}), never);
    expect(standin.counters.of("media")).toBe(0);
  });

  test("a caller that leaves is not a failure of the platform", async () => {
    const controller = new AbortController();
    const reason = new Error("left");
    const asked = source.fetch(add({ fault: { name: "slowDrip" } }), file, controller.signal);
    setTimeout(() => controller.abort(reason), 200);
    await expect(asked).rejects.toBe(reason);
  });
});

describe("the public platform", () => {
  const ask = (resolveHost: ResolveHost) => {
    const reel = reelAddress(instagram, "DLlGZiCOBQ0");
    if (reel === undefined) throw new Error("no address");
    return createPlatformSource({ platform: instagram, clock, maxBytes, resolveHost }).resolve(reel, never);
  };

  test("is unreachable where names have no addresses", async () => {
    await expect(ask((_, done) => done(new Error("ENOTFOUND"), []))).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("is not asked where its name leads to a private address", async () => {
    const asked: string[] = [];
    const inside: ResolveHost = (host, done) => {
      asked.push(host);
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    await expect(ask(inside)).rejects.toMatchObject({
      kind: "changed",
      message: expect.stringContaining("not public"),
    });
    expect(new Set(asked)).toEqual(new Set(["www.instagram.com"]));
  });
});

test("two answers are never mixed: an answer about another post is not taken", async () => {
  const { mediaId, code } = standin.addReel({ bytes });
  const other = { ...addressOf(code), mediaId, shortcode: "CenAusten01" };
  await expect(source.resolve(other, never)).rejects.toMatchObject({ kind: "changed" });
});

test("a token that the platform no longer takes is renewed", async () => {
  const asked = createPlatformSource({ platform, clock, maxBytes });
  const queried = () => asked.resolve(add({ wall: "emptyData", wallDoors: ["page"] }), never);
  await queried();
  standin.renewToken();
  await queried();
  await queried();
  expect([standin.counters.of("home"), standin.counters.of("graphql")]).toEqual([2, 4]);
});
