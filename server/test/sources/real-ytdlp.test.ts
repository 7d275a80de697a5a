import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { startPlatformStandin, type PlatformStandin, type StandinReel } from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { type Platform, reelAddress } from "../../src/adapters/platforms/platform.ts";
import { tiktok } from "../../src/adapters/platforms/tiktok.ts";
import { ytDlpArguments } from "../../src/adapters/ytdlp/ytdlp-arguments.ts";
import { ytDlpDetails } from "../../src/adapters/ytdlp/ytdlp-details.ts";
import { ytDlpFailure } from "../../src/adapters/ytdlp/ytdlp-failure.ts";
import { mediaHost, startPlatformRoad, type PlatformRoad } from "../../../scripts/processes/start-platform-road.ts";
import { lackingForYtDlp, ytDlpForRoad } from "../harness/ytdlp-for-road.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

interface Format {
  readonly format_id: string;
  readonly url: string;
}

interface Ended {
  readonly output: string;
  readonly complaints: string;
}

describe.skipIf(lackingForYtDlp)(`the real yt-dlp${lackingForYtDlp ? ` (skipped: ${lackingForYtDlp})` : ""}`, () => {
  const folder = directoryOfTests();
  let standin: PlatformStandin;
  let road: PlatformRoad;
  let program: string;

  beforeAll(async () => {
    standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
    road = await startPlatformRoad(standin, folder);
    program = await ytDlpForRoad(road, folder);
  });
  beforeEach(() => {
    standin.counters.reset();
    road.tunnels.length = 0;
  });
  afterAll(async () => {
    await road.close();
    await standin.close();
  });

  const reelOf = (kind: string): StandinReel => standin.reels.find((reel) => reel.kind === kind) ?? expect.fail(kind);
  const addressOf = (platform: Platform, kind: string) =>
    reelAddress(platform, platform === tiktok ? reelOf(kind).mediaId : reelOf(kind).code)!;
  /** Fetches from the stand-in the media that its pages call by the platform's host name. */
  const bytesAt = async (url: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(url.replace(`https://${mediaHost}`, standin.mediaOrigin))).arrayBuffer());

  const ask = (platform: Platform, kind: string, file?: string): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH ?? "", HOME: folder };
      const { url } = addressOf(platform, kind);
      const run = { manners: platform.ytDlp, url, maxBytes: 1e8, intervalSeconds: 0, file };
      const all = ["--proxy", road.proxy, ...ytDlpArguments(run)];
      execFile(program, all, { env, cwd: folder, maxBuffer: 1 << 26 }, (_, output, complaints) =>
        resolve({ output, complaints }),
      );
    });

  test("reads a reel off its page, and none of those beside it", async () => {
    const reel = reelOf("speech");
    const { output, complaints } = await ask(instagram, "speech");
    expect(complaints).not.toContain("ERROR");
    const read = JSON.parse(output);
    expect(read).toMatchObject({
      id: reel.code,
      description: reel.caption,
      channel: reel.owner.username,
      uploader: reel.owner.fullName,
      timestamp: reel.takenAt,
      like_count: reel.likes,
      format_id: "dash-audio",
    });
    expect(ytDlpDetails(output, addressOf(instagram, "speech"), instagram.ytDlp)).toMatchObject({
      caption: reel.caption,
    });
    for (const { url } of read.formats as { url: string }[]) expect(url).toContain(reel.mediaId);
    // Its query is not asked as a script of the page asks it, and gets no data.
    expect(standin.counters.snapshot()).toMatchObject({ home: 1, ruling: 1, graphql: 1, page: 1 });
    expect(new Set(road.tunnels)).toEqual(new Set(["www.instagram.com:443"]));
  });

  test.each([
    ["speech", "_0_audio.mp4"],
    ["unreadableSound", "_0.mp4"],
  ])("brings the leanest sound of %s that we decode", async (kind, ending) => {
    const file = path.join(folder, kind);
    const { output, complaints } = await ask(instagram, kind, file);
    const { formats, format_id: taken } = JSON.parse(output) as { formats: Format[]; format_id: string };
    expect(complaints).not.toContain("ERROR");
    const { url } = formats.find((each) => each.format_id === taken) ?? expect.fail(taken);
    expect(new URL(url).pathname.endsWith(`${reelOf(kind).mediaId}${ending}`)).toBe(true);
    expect((await readFile(file)).equals(await bytesAt(url))).toBe(true);
    expect(road.tunnels).toContain(`${mediaHost}:443`);
  });

  test("reads a reel off its page at TikTok", async () => {
    const reel = reelOf("speech");
    const { output, complaints } = await ask(tiktok, "speech");
    expect(complaints).not.toContain("ERROR");
    expect(ytDlpDetails(output, addressOf(tiktok, "speech"), tiktok.ytDlp)).toMatchObject({
      platform: "tiktok",
      mediaId: reel.mediaId,
      url: `https://www.tiktok.com/@_/video/${reel.mediaId}`,
      caption: reel.caption,
      author: { handle: reel.owner.username, displayName: reel.owner.fullName },
      thumbnail: { url: expect.not.stringContaining("animated") },
      durationSeconds: Math.round(reel.seconds),
      likes: reel.likes,
      comments: reel.comments,
      postedAt: new Date(reel.takenAt * 1_000).toISOString(),
    });
    expect(standin.counters.snapshot()).toEqual({ page: 1, [`page ${reel.code}`]: 1 });
    expect(new Set(road.tunnels)).toEqual(new Set(["www.tiktok.com:443"]));
  });

  test.each(["speech", "wall:pleaseWait"])("brings the video's own sound of %s from TikTok", async (kind) => {
    const file = path.join(folder, `tiktok-${kind}`);
    const { complaints } = await ask(tiktok, kind, file);
    expect(complaints).not.toContain("ERROR");
    expect((await readFile(file)).equals(await reelOf(kind).media[0]!.load())).toBe(true);
    // The task of a wall costs one more page.
    expect(standin.counters.of("page")).toBe(kind === "speech" ? 1 : 2);
  });

  test("of photos at TikTok the sound under them is fetched", async () => {
    const file = path.join(folder, "tiktok-photo");
    const { output } = await ask(tiktok, "photo", file);
    expect(JSON.parse(output)).toMatchObject({ format_id: "audio", vcodec: "none" });
    expect((await readFile(file)).toString("latin1", 4, 8)).toBe("ftyp");
  });

  const platforms = { instagram, tiktok } as const;
  test.each<[keyof typeof platforms, string, string]>([
    ["instagram", "ageGated", "ageGated"],
    ["instagram", "private", "private"],
    ["instagram", "wall:tooManyRequests", "walled"],
    ["instagram", "wall:loginRedirect", "walled"],
    ["instagram", "wall:emptyData", "walled"],
    ["instagram", "photo", "notVideo"],
    ["tiktok", "ageGated", "ageGated"],
    ["tiktok", "private", "private"],
    ["tiktok", "regionGated", "regionGated"],
    ["tiktok", "deleted", "deleted"],
    ["tiktok", "wall:tooManyRequests", "walled"],
    ["tiktok", "wall:loginRedirect", "walled"],
    ["tiktok", "wall:emptyData", "walled"],
  ])("complains at %s about %s in words that we take for %s", async (name, kind, meaning) => {
    const platform = platforms[name];
    const { output, complaints } = await ask(platform, kind);
    expect([output, ytDlpFailure(complaints, platform.ytDlp.meanings).kind], complaints).toEqual(["", meaning]);
  });
});
