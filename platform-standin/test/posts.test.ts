import { mediaIdOfCode } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { ask, embedMediaOf, frame, type Json, postOf, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";

test("a post has the fields that a resolver reads", async () => {
  expect(await postOf(standin(), code)).toMatchObject({
    __typename: "XIGPolarisVideoMedia",
    pk: mediaIdOfCode(code),
    code,
    gating_ruling: null,
  });
  const media = await shownOf(standin(), code);
  expect(media).toMatchObject({
    pk: mediaIdOfCode(code),
    code,
    media_type: 2,
    product_type: "clips",
    taken_at: 1654831474,
    caption: { text: expect.stringContaining("#janeausten") },
    user: { username: "quiet.chapters", full_name: "Quiet Chapters", is_verified: true },
    has_audio: true,
    original_width: 360,
    original_height: 640,
    like_count: 4210,
    comment_count: 131,
  });
  const [first, ...others] = media.video_versions as Json[];
  expect(others.map(({ type, url }) => [type, url])).toEqual([102, 103].map((type) => [type, first!["url"]]));
  const address = new URL(first!["url"] as string);
  expect(address.origin).toBe(standin().mediaOrigin);
  const known = JSON.parse(Buffer.from(address.searchParams.get("efg") ?? "", "base64").toString());
  expect(known.duration_s).toBe(27);
  expect(Number.parseInt(address.searchParams.get("oe") ?? "", 16) * 1000).toBeGreaterThan(Date.now() + 31 * 3600_000);
  expect(media.display_uri).toContain(".jpg?");
  expect(media.image_versions2.candidates[0].url).toBe(media.display_uri);
});

test("odd forms", async () => {
  const of = (kind: string) => shownOf(standin(), codeOfKind(standin(), kind));
  const album = await of("carousel");
  expect(album).toMatchObject({ media_type: 8, video_versions: null });
  expect(album.carousel_media.map((each: Json) => each.media_type)).toEqual([2, 2]);
  expect(await of("photo")).toMatchObject({ media_type: 1, video_versions: null });
  expect(await of("nullCaption")).toMatchObject({ caption: null });
  expect(await of("hiddenLikes")).toMatchObject({ like_count: null, like_and_view_counts_disabled: true });
  expect((await of("musicOnly")).clips_metadata.music_info.music_asset_info.title).toBeTruthy();
  expect((await of("coauthors")).coauthor_producers).toHaveLength(2);
  expect((await of("privateShown")).user.is_private).toBe(true);
  for (const kind of ["noAudio", "noSound"]) {
    const silent = await of(kind);
    expect(silent.has_audio).toBe(false);
    expect(silent.video_dash_manifest).not.toContain("audio/mp4");
  }
});

test("the embed page has a shape of its own", async () => {
  const of = async (kind: string) =>
    embedMediaOf((await ask(standin().urlOf(codeOfKind(standin(), kind), "embedCaptioned"), frame)).text)!;
  expect(await of("speech")).toMatchObject({
    __typename: "XDTGraphVideo",
    id: mediaIdOfCode(code),
    shortcode: code,
    is_video: true,
    dimensions: { width: 360, height: 640 },
    edge_media_to_caption: { edges: [{ node: { text: expect.stringContaining("#janeausten") } }] },
    edge_media_preview_like: { count: 4210 },
    owner: { username: "quiet.chapters", is_private: false, is_verified: true },
    video_url: expect.stringContaining(standin().mediaOrigin),
  });
  const album = await of("carousel");
  expect(album.__typename).toBe("XDTGraphSidecar");
  expect(album.edge_sidecar_to_children.edges.map((edge: Json) => edge.node.is_video)).toEqual([true, true]);
  expect(await of("photo")).toMatchObject({ __typename: "XDTGraphImage", is_video: false });
  expect((await of("nullCaption")).edge_media_to_caption.edges).toEqual([]);
  expect((await of("hiddenLikes")).edge_media_preview_like.count).toBe(-1);
});
