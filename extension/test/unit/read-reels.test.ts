import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReels, mergeReels } from "../../src/platform/read-reels.ts";

let standin: PlatformStandin;
beforeAll(async () => {
  standin = await startPlatformStandin();
});
afterAll(async () => standin.close());

/** Reads as somebody with an account, with videos at the hosts where the platform has them. */
async function readPlatform(path: string): Promise<unknown> {
  const answer = await fetch(standin.origin + path, { headers: { cookie: "sessionid=1" } });
  return JSON.parse((await answer.text()).replaceAll(standin.mediaOrigin, "https://scontent.cdninstagram.com"));
}

describe("reels in answers of the platform", () => {
  it("are read with all that people with an account see", async () => {
    for (const reel of standin.reels.filter(({ kind }) => kind === "speech").slice(0, 5)) {
      const { reels } = readReels(await readPlatform(`/api/v1/media/${reel.mediaId}/info/`));
      const [read] = reels.filter(({ code }) => code === reel.code);
      expect(read).toMatchObject({
        code: reel.code,
        handle: reel.owner.username,
        caption: reel.caption,
        views: reel.plays ?? reel.views,
        likes: reel.likes,
        comments: reel.comments,
        takenAt: reel.takenAt,
        seconds: reel.seconds,
      });
      expect(read?.videoUrl).toContain(reel.mediaId);
    }
  });

  it("are read without author, date or count, the date from the id", () => {
    const node = { pk: "3870781634534573841", code: "DW3x2NpigcR", media_type: 2, product_type: "clips" };
    const [bare] = readReels({ edges: [{ node }] }).reels;
    expect(bare).toMatchObject({ handle: null, takenAt: null, views: null, likes: null, comments: null });
    expect(new Date(bare!.mintedAt! * 1_000).toISOString()).toBe("2026-04-08T12:59:10.000Z");
    const [exact] = readReels({ ...node, taken_at: bare!.mintedAt! + 9 }).reels;
    expect(mergeReels(exact, bare!)).toMatchObject({ takenAt: bare!.mintedAt! + 9, mintedAt: bare!.mintedAt });
    for (const pk of ["", "x", "-1", "9".repeat(20), 3, null])
      expect(readReels({ ...node, pk }).reels).toMatchObject([{ mintedAt: null }]);
  });

  it("are read in the shape with edges", () => {
    const node = {
      id: "3870781634534573841",
      shortcode: "DW3x2NpigcR",
      is_video: true,
      owner: { username: "Lena.Bakes" },
      edge_media_to_caption: { edges: [{ node: { text: "Bread" } }] },
      video_play_count: 9,
      edge_media_preview_like: { count: 3 },
      edge_media_to_comment: { count: 2 },
      taken_at_timestamp: 1_775_000_000,
    };
    expect(readReels({ node }).reels).toMatchObject([
      {
        code: "DW3x2NpigcR",
        handle: "lena.bakes",
        caption: "Bread",
        views: 9,
        likes: 3,
        comments: 2,
        takenAt: 1_775_000_000,
      },
    ]);
  });

  it("have no video but at the platform", () => {
    const videoAt = (url: string) =>
      readReels({ pk: "1", code: "DLlGZiCOBQ0", media_type: 2, video_versions: [{ url, width: 1 }] }).reels[0]
        ?.videoUrl;
    const good = ["https://scontent-fra3-1.cdninstagram.com/v/1.mp4?x=1", "https://video.xx.fbcdn.net/v/2.mp4"];
    expect(good.map(videoAt)).toEqual(good);
    const bad = [
      "http://scontent.cdninstagram.com/v/1.mp4",
      "https://cdninstagram.com.evil.example/v/1.mp4",
      "https://evilcdninstagram.com/v/1.mp4",
      "https://scontent.cdninstagram.com@evil.example/1.mp4",
      "http://127.0.0.1:8787/app/api/usage",
      "javascript:alert(1)",
    ];
    expect(bad.map(videoAt)).toEqual(bad.map(() => null));
  });

  it("are found before and after more than a call takes arguments", () => {
    const media = { pk: "1", code: "DLlGZiCOBQ0", media_type: 2 };
    const much = Array.from({ length: 400_000 }, () => 0);
    expect(readReels([media, much]).reels).toHaveLength(1);
    expect(() => readReels(Object.fromEntries(much.entries()))).not.toThrow();
  });

  it("knows hidden counts from zero, and prefers plays, which the platform shows", () => {
    const media = { pk: "1", code: "DLlGZiCOBQ0", media_type: 2, play_count: 0, view_count: 9, like_count: -1 };
    expect(readReels(media).reels).toMatchObject([{ views: 0, likes: null, comments: null, caption: null }]);
    const hidden = { ...media, like_count: 3, like_and_view_counts_disabled: true };
    const before = { shortcode: "DLlGZiCOBQ0", is_video: true, edge_liked_by: { count: 3 }, video_view_count: 9 };
    for (const post of [hidden, { ...before, like_and_view_counts_disabled: true }])
      expect(readReels(post).reels).toMatchObject([{ views: null, likes: null }]);
  });

  it("keeps what an earlier piece told, and takes newer counts", () => {
    const [first, second] = [
      { caption: { text: "Bread" }, like_count: 1 },
      { caption: null, like_count: 2 },
    ].map((piece) => readReels({ id: "1", code: "DLlGZiCOBQ0", product_type: "clips", ...piece }).reels[0]!);
    expect(mergeReels(first, second!)).toMatchObject({ caption: "Bread", likes: 2 });
  });

  it("names private accounts, and passes over photos, carousels and strangers' shapes", () => {
    const photo = { pk: "1", code: "DLlGZiCOBQ0", media_type: 1 };
    const carousel = { ...photo, media_type: 8, video_versions: [] };
    const user = { username: "Quiet.Hands", is_private: true };
    expect(readReels({ data: [photo, carousel, { user }] })).toEqual({ reels: [], privateHandles: ["quiet.hands"] });
  });

  it("survives whatever a page may contain", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (inner, other) => {
        const wrapped = {
          pk: "1",
          code: "DLlGZiCOBQ0",
          media_type: 2,
          user: inner,
          caption: other,
          video_versions: inner,
        };
        const { reels } = readReels([inner, wrapped, other]);
        expect(reels.filter(({ code }) => code === "DLlGZiCOBQ0")).not.toEqual([]);
      }),
    );
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(readReels(deep).reels).toEqual([]);
  });
});
