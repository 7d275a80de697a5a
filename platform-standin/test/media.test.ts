import { describe, expect, test } from "vitest";
import { type Json, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

let now = new Date("2026-11-01T12:00:00Z");
const standin = withStandin(() => now);
const code = "CenAusten01";
const lifetime = 32 * 3600 * 1000;

const videoOf = async (each: string): Promise<string> =>
  (await shownOf(standin(), each)).video_versions[0].url as string;

describe("a video", () => {
  test("comes whole, from another origin, with a media host's headers", async () => {
    const url = await videoOf(code);
    expect(new URL(url).origin).toBe(standin().mediaOrigin);
    expect(standin().mediaOrigin).not.toBe(standin().origin);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get("content-length")));
    expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
    expect(standin().counters.of("media", code)).toBe(1);
  });

  test("comes in parts", async () => {
    const url = await videoOf(code);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const partOf = async (range: string) => {
      const answer = await fetch(url, { headers: { range } });
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        body: Buffer.from(await answer.arrayBuffer()),
      };
    };
    const { length } = whole;
    for (const [range, start, end] of [
      ["bytes=100-199", 100, 199],
      ["bytes=100-", 100, length - 1],
      ["bytes=-50", length - 50, length - 1],
      [`bytes=0-${length * 2}`, 0, length - 1],
    ] as const)
      expect(await partOf(range)).toEqual({
        status: 206,
        range: `bytes ${start}-${end}/${length}`,
        body: whole.subarray(start, end + 1),
      });
    expect(await partOf(`bytes=${length}-`)).toMatchObject({ status: 416, range: `bytes */${length}` });
    expect(await partOf("bytes=9-3")).toMatchObject({ status: 416 });
    expect(await partOf("lines=1-2")).toMatchObject({ status: 200 });
  });

  test("has a picture beside it, and its account one too", async () => {
    const media = await shownOf(standin(), code);
    const poster = await fetch(media.image_versions2.candidates[0].url as string);
    expect([...new Uint8Array(await poster.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8]);
    const avatar = await fetch(media.user.profile_pic_url as string);
    expect(avatar.headers.get("content-type")).toBe("image/png");
    expect(standin().counters.of("thumbnail", code)).toBe(1);
  });

  test("is not to be had without its seal, nor after its end", async () => {
    const url = await videoOf(code);
    const forged = new URL(url);
    forged.searchParams.set("oh", "x");
    expect((await fetch(forged)).status).toBe(403);
    const prolonged = new URL(url);
    prolonged.searchParams.set("oe", "FFFFFFFF");
    expect((await fetch(prolonged)).status).toBe(403);
    const before = now;
    now = new Date(before.getTime() + lifetime + 1000);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(await videoOf(code))).status).toBe(200);
    now = before;
  });
});

test("both videos of a carousel can be had", async () => {
  const album = await shownOf(standin(), codeOfKind(standin(), "carousel"));
  const sizes = await Promise.all(
    (album.carousel_media as Json[]).map(
      async (each) => (await (await fetch(each.video_versions[0].url as string)).arrayBuffer()).byteLength,
    ),
  );
  expect(new Set(sizes).size).toBe(2);
  expect(Math.min(...sizes)).toBeGreaterThan(100_000);
});

test("nothing is had by odd paths", async () => {
  for (const path of ["/", "/o1/v/t16/f2/m69/1_0.mp4", "/../reels.json", "/v/t51.2885-19/x.png"])
    expect((await fetch(standin().mediaOrigin + path)).status).toBe(403);
});
