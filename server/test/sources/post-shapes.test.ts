import { Reel } from "@reelscript/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import {
  dashAudioUrl,
  embeddedPost,
  prefetchedPosts,
  queryToken,
  readGraphNode,
  readMediaItem,
} from "../../src/adapters/platforms/instagram/read-post.ts";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { SourceFailure } from "../../src/adapters/platforms/source-failure.ts";

const reel = reelAddress(instagram, "DLlGZiCOBQ0")!;
const media = (name: string) => `https://scontent.cdninstagram.com/${name}?oe=6B01FCC8&oh=x`;
const manifest = (codecs: string) => `<MPD><Period>
  <AdaptationSet contentType="video"><Representation id="1" codecs="avc1.64001F" bandwidth="9"><BaseURL>${media("v")}</BaseURL></Representation></AdaptationSet>
  <AdaptationSet contentType="audio">
    <Representation id="2" bandwidth="96000" codecs="${codecs}" mimeType="audio/mp4"><BaseURL>${media("big").replaceAll("&", "&amp;")}</BaseURL></Representation>
    <Representation id="3" bandwidth="48000" codecs="${codecs}" mimeType="audio/mp4"><BaseURL>
      ${media("small").replaceAll("&", "&amp;")}</BaseURL></Representation>
  </AdaptationSet></Period></MPD>`;

function kindOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SourceFailure) return error.kind;
    throw error;
  }
  return "read";
}

const video = {
  media_type: 2,
  video_versions: [
    { type: 101, url: media("large"), width: 1080, height: 1920 },
    { type: 102, url: media("small"), width: 360, height: 640 },
  ],
  video_duration: 12.5,
  has_audio: true,
  original_width: 1080,
  original_height: 1920,
};
const photo = { media_type: 1, image_versions2: { candidates: [{ url: media("p"), width: 9, height: 9 }] } };

describe("the shape of today", () => {
  test.each(["mp4a.40.2", "mp4a.40.5", "mp4a.40.29", "opus"])(
    "the smallest track of %s comes before the videos",
    (codecs) => {
      const versions = [101, 102, 103].map((type) => ({ type, url: media("large") }));
      const { mediaUrls } = readMediaItem(
        { ...video, video_versions: versions, video_dash_manifest: manifest(codecs) },
        reel,
      );
      expect(mediaUrls).toEqual([media("small"), media("large")]);
    },
  );

  test("the smallest video comes first if the sound's codec is rare", () => {
    const { mediaUrls } = readMediaItem({ ...video, video_dash_manifest: manifest("mp4a.40.42") }, reel);
    expect(mediaUrls).toEqual([media("small"), media("large")]);
  });

  test("length, picture and date have other sources if the post lacks them", () => {
    const bare = { ...video, video_duration: null, display_uri: media("still") };
    const efg = Buffer.from(JSON.stringify({ vencode_tag: "x", duration_s: 47 })).toString("base64");
    const addressed = { ...bare, video_versions: [{ url: `${media("v")}&efg=${encodeURIComponent(efg)}` }] };
    const stated = '<MPD mediaPresentationDuration="PT0H1M2.500S">';
    expect(readMediaItem({ ...addressed, video_dash_manifest: stated }, reel).details).toMatchObject({
      durationSeconds: 62.5,
      thumbnail: { url: media("still"), width: null, height: null },
      postedAt: "2025-07-01T21:07:51.133Z",
    });
    expect(readMediaItem(addressed, reel).details.durationSeconds).toBe(47);
    expect(readMediaItem({ ...bare, video_versions: [{ url: `${media("v")}&efg=%%%` }] }, reel).details).toMatchObject({
      durationSeconds: null,
    });
  });

  test("the handle is the owner's where the user has none", () => {
    const { author } = readMediaItem({ ...video, user: { pk: "1" }, owner: { username: "me.x" } }, reel).details;
    expect(author?.handle).toBe("me.x");
  });

  test("the largest picture is the thumbnail", () => {
    const candidates = [
      { url: media("s"), width: 150, height: 150 },
      { url: media("l"), width: 1080, height: 1920 },
      { url: "javascript:alert(1)", width: 9_000, height: 9_000 },
    ];
    const { thumbnail } = readMediaItem({ ...video, image_versions2: { candidates } }, reel).details;
    expect(thumbnail).toEqual({ url: media("l"), width: 1080, height: 1920 });
  });

  test("of several posts in one the first video counts", () => {
    const second = { ...video, original_width: 720, original_height: 720, video_duration: 3 };
    const { details } = readMediaItem({ media_type: 8, carousel_media: [photo, second, video] }, reel);
    expect(details).toMatchObject({ durationSeconds: 3, dimensions: { aspectRatio: "1:1" } });
  });

  test("hidden counts are not told", () => {
    const hidden = { like_and_view_counts_disabled: true, like_count: 3, play_count: 5, comment_count: 7 };
    expect(readMediaItem({ ...video, ...hidden }, reel).details).toMatchObject({
      likes: null,
      views: null,
      comments: 7,
    });
    const several = { ...hidden, media_type: 8, carousel_media: [{ ...video, play_count: 5 }] };
    expect(readMediaItem(several, reel).details.views).toBeNull();
    const asNumber = { ...video, ...hidden, like_and_view_counts_disabled: 1 };
    for (const mediaItem of [{ ...video, like_count: -1, view_count: -1 }, asNumber])
      expect(readMediaItem(mediaItem, reel).details).toMatchObject({ likes: null, views: null });
  });

  test.each([
    ["a photo", photo, "notVideo"],
    ["photos", { media_type: 8, carousel_media: [photo, photo] }, "notVideo"],
    ["a video without an address", { ...video, video_versions: [] }, "changed"],
    ["several without an address", { media_type: 8, carousel_media: [photo, { media_type: 2 }] }, "changed"],
    ["a post that a private account does not show", { media_type: 2, user: { is_private: true } }, "private"],
    ["a post that a private account shows", { ...video, user: { is_private: true } }, "private"],
    ["another post", { ...video, pk: "1" }, "changed"],
    ["another post by a number", { ...video, pk: 1 }, "changed"],
    ["nothing", null, "changed"],
    ["an empty object", {}, "changed"],
    ["a text", "post", "changed"],
  ])("%s is named", (_, raw, kind) => expect(kindOf(() => readMediaItem(raw, reel))).toBe(kind));
});

describe("the shape of before", () => {
  const old = { is_video: true, video_url: media("one"), dimensions: { width: 720, height: 1280 } };

  test("the author is the owner, and comment counts have several names", () => {
    const others = { coauthor_producers: [{ username: "other" }], edge_media_to_comment: { count: 4 } };
    const { details } = readGraphNode({ ...old, ...others, owner: { username: "me.x" } }, reel);
    expect(details).toMatchObject({ author: { handle: "me.x" }, comments: 4 });
  });

  test("of several posts in one the first video counts", () => {
    const edges = [{ node: { is_video: false } }, { node: { ...old, video_duration: 4 } }];
    const { details, mediaUrls } = readGraphNode({ is_video: false, edge_sidecar_to_children: { edges } }, reel);
    expect(details).toMatchObject({ durationSeconds: 4, dimensions: { width: 720, height: 1280 } });
    expect(mediaUrls).toEqual([media("one")]);
  });

  test.each([
    ["a photo", { is_video: false, display_url: media("p") }, "notVideo"],
    ["a video without an address", { is_video: true }, "changed"],
    ["a gated video", { ...old, gating_info: { gating_type: "age" } }, "ageGated"],
    ["a post that a private account shows", { ...old, owner: { is_private: true } }, "private"],
    ["another post", { ...old, id: "1" }, "changed"],
    ["nothing", null, "changed"],
  ])("%s is named", (_, raw, kind) => expect(kindOf(() => readGraphNode(raw, reel))).toBe(kind));
});

describe("hidden counts in the shape of before", () => {
  const old = { is_video: true, video_url: media("one"), video_play_count: 5, edge_liked_by: { count: 3 } };

  test.each([
    ["true", { ...old, like_and_view_counts_disabled: true }, null, null],
    [
      "one, where the likes have their other name",
      { ...old, ...preview(3), like_and_view_counts_disabled: 1 },
      null,
      null,
    ],
    [
      "true, beside zeros",
      { ...old, ...preview(0), video_play_count: 0, like_and_view_counts_disabled: true },
      null,
      null,
    ],
    ["false", { ...old, like_and_view_counts_disabled: false }, 3, 5],
  ])("are not told where the flag is %s", (_, raw, likes, views) => {
    expect(readGraphNode(raw, reel).details).toMatchObject({ likes, views });
  });

  test("are not told of a video among several", () => {
    const raw = {
      is_video: false,
      like_and_view_counts_disabled: true,
      edge_sidecar_to_children: { edges: [{ node: old }] },
    };
    expect(readGraphNode(raw, reel).details).toMatchObject({ likes: null, views: null });
  });

  function preview(count: number) {
    return { edge_media_preview_like: { count } };
  }
});

describe("fields of other types than they used to be", () => {
  const fields = fc.record(
    Object.fromEntries(
      [
        "caption",
        "user",
        "like_count",
        "play_count",
        "taken_at",
        "image_versions2",
        "video_duration",
        "original_width",
      ].map((name) => [name, fc.jsonValue()]),
    ),
    { requiredKeys: [] },
  );

  test("are null, and what is read always fits the contract", () => {
    fc.assert(
      fc.property(fields, (odd) => {
        const { details } = readMediaItem({ ...video, ...odd }, reel);
        expect(Reel.safeParse({ ...details, resolvedAt: "2026-01-01T00:00:00Z" }).error).toBeUndefined();
      }),
    );
  });

  test("never raise anything but a source failure", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(["read", "changed", "notVideo", "private"]).toContain(kindOf(() => readMediaItem(raw, reel)));
        expect(["read", "changed", "notVideo", "private", "ageGated"]).toContain(
          kindOf(() => readGraphNode(raw, reel)),
        );
      }),
    );
  });
});

describe("scripts of pages", () => {
  test.each([
    '<script>requireLazy([],[["LSD",[],{"token":"AVq-x_1"},323]]);</script>',
    '<script id="__eqmc" type="application/json">{"u":"\\/ajax","e":"x","l":"AVq-x_1"}</script>',
  ])("the token is found in %s", (html) => expect(queryToken(html)).toBe("AVq-x_1"));

  test("no token in a page without one", () => expect(queryToken('<a href="LSD">token</a>')).toBeUndefined());

  test("posts survive quotes, tags and other scripts around them", () => {
    const post = { is_video: true, text: 'a "b" \\ </script> 🎬' };
    const context = JSON.stringify(JSON.stringify({ gql_data: { shortcode_media: post } })).replaceAll("<", "\\u003C");
    expect(embeddedPost(`<script>{"x":[{"contextJSON":${context}}]}</script>`)).toEqual(post);
    const cache = JSON.stringify({ require: [[{ data: { xig_polaris_media: post } }]] }).replaceAll("<", "\\u003C");
    const html = `<script data-sjs>{"a":1}</script><script type="application/json" data-sjs>${cache}</script>`;
    expect(prefetchedPosts(html)).toEqual([post]);
  });

  test.each(["", "<html>", '"contextJSON":"', '"contextJSON":"{}"', '"contextJSON":"null"', '"contextJSON":"{broken"'])(
    "%j carries no post",
    (html) => {
      expect(kindOf(() => embeddedPost(html))).toBe("changed");
      expect(prefetchedPosts(`<script data-sjs>xig_polaris_media${html}</script>`)).toEqual([]);
    },
  );

  test("pages made to be slow are read all the same", () => {
    const bytes = 1_000_000;
    const fill = (text: string) => text.repeat(bytes / text.length);
    for (const text of ["<script ", "<script data-sjs>", '<script id="__eqmc">', '"contextJSON":"', "\\", '["LSD",[],'])
      for (const html of [
        fill(text),
        `"contextJSON":"${fill(text)}`,
        `<script data-sjs>xig_polaris_media${fill(text)}`,
      ]) {
        expect(kindOf(() => embeddedPost(html))).toBe("changed");
        expect(prefetchedPosts(html)).toEqual([]);
        expect(queryToken(html)).toBeUndefined();
      }
    for (const text of ["<Representation ", "<Representation>", "<BaseURL", "<BaseURL>", "</Representation>", ">"])
      expect(dashAudioUrl(`<Representation codecs="opus">${fill(text)}`)).toBeUndefined();
    expect(
      dashAudioUrl('<Representation codecs="opus"><BaseURL>no address</BaseURL></Representation>'),
    ).toBeUndefined();
  });
});
