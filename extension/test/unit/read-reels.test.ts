import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReels } from "../../src/platform/read-reels.ts";
import { mergeReels } from "../../src/platform/seen-reel.ts";

let standin: PlatformStandin;
beforeAll(async () => {
  standin = await startPlatformStandin();
});
afterAll(async () => standin.close());

async function ask(shape: "old" | "new", code: string): Promise<unknown> {
  if (shape === "new") {
    const reel = standin.reels.find((one) => one.code === code) ?? expect.fail(code);
    return readPlatform(`${standin.origin}/api/v1/media/${reel.mediaId}/info/`);
  }
  standin.setShape(shape);
  const body = new URLSearchParams({ doc_id: "8845758582119845", variables: JSON.stringify({ shortcode: code }) });
  return readPlatform(`${standin.origin}/api/graphql`, { method: "POST", body });
}

/** With videos where the platform has them. */
async function readPlatform(address: string, request?: RequestInit): Promise<unknown> {
  const text = await (await fetch(address, request)).text();
  return JSON.parse(text.replaceAll(standin.mediaOrigin, "https://scontent.cdninstagram.com"));
}

describe("reels in answers of the platform", () => {
  it.each(["old", "new"] as const)("are read in the %s shape", async (shape) => {
    for (const reel of standin.reels.filter(({ kind }) => kind === "speech").slice(0, 5)) {
      const { reels } = readReels(await ask(shape, reel.code));
      expect(reels).toMatchObject([
        {
          code: reel.code,
          handle: reel.owner.username,
          caption: reel.caption,
          views: reel.plays ?? reel.views,
          likes: reel.likes,
          comments: reel.comments,
          takenAt: reel.takenAt,
          seconds: reel.seconds,
        },
      ]);
      expect(reels[0]?.videoUrl).toContain(reel.mediaId);
    }
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
    expect(readReels(hidden).reels).toMatchObject([{ views: null, likes: null }]);
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
