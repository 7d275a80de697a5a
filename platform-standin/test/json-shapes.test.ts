import { mediaIdOfCode } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { askNewShape, askOldShape, type Json, newMediaOf, oldMediaOf } from "./logged-out-caller.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";

test("the new shape has the fields that a resolver reads", async () => {
  const media = await newMediaOf(standin(), code);
  expect(media).toMatchObject({
    pk: mediaIdOfCode(code),
    code,
    media_type: 2,
    product_type: "clips",
    taken_at: 1654831474,
    caption: { text: expect.stringContaining("#janeausten") },
    user: { username: "quiet.chapters", full_name: "Quiet Chapters", is_private: false, is_verified: true },
    has_audio: true,
    original_width: 360,
    original_height: 640,
    like_count: 4210,
    comment_count: 131,
    view_count: 58211,
    play_count: 90412,
    carousel_media: null,
    music_metadata: { music_info: null },
  });
  expect(media.id).toBe(`${media.pk}_${media.user.pk}`);
  expect(media.video_duration).toBeCloseTo(26.9, 0);
  expect(media.video_versions[0]).toMatchObject({ type: 101, width: 360, height: 640 });
  expect(media.video_versions[0].url).toContain(standin().mediaOrigin);
  expect(media.image_versions2.candidates[0].url).toContain(".jpg?");
  for (const field of [
    "video_dash_manifest",
    "video_codec",
    "usertags",
    "coauthor_producers",
    "ig_play_count",
    "comments_connection",
  ])
    expect(media).toHaveProperty(field);
});

test("the old shape has the fields that a resolver reads", async () => {
  standin().setShape("old");
  const media = await oldMediaOf(standin(), code);
  expect(media).toMatchObject({
    __typename: "XDTGraphVideo",
    id: mediaIdOfCode(code),
    shortcode: code,
    is_video: true,
    product_type: "clips",
    dimensions: { width: 360, height: 640 },
    has_audio: true,
    video_view_count: 58211,
    video_play_count: 90412,
    taken_at_timestamp: 1654831474,
    edge_media_to_caption: { edges: [{ node: { text: expect.stringContaining("#janeausten") } }] },
    edge_media_preview_like: { count: 4210 },
    edge_media_to_parent_comment: { count: 131 },
    owner: { username: "quiet.chapters", is_private: false, is_verified: true },
    clips_music_attribution_info: { uses_original_audio: true },
  });
  expect(media.video_url).toContain(standin().mediaOrigin);
  for (const field of [
    "display_url",
    "display_resources",
    "thumbnail_src",
    "dash_info",
    "coauthor_producers",
    "gating_info",
    "is_ad",
  ])
    expect(media).toHaveProperty(field);
});

test("only the shape of the day is served", async () => {
  expect((await askOldShape(standin(), code)).status).toBe(400);
  standin().setShape("old");
  expect((await askNewShape(standin(), code)).status).toBe(400);
});

test("the query without token or cookie is refused", async () => {
  const body = new URLSearchParams({
    doc_id: "27130156389949648",
    variables: JSON.stringify({ media_id: mediaIdOfCode(code) }),
  });
  const answer = await fetch(`${standin().origin}/api/graphql`, { method: "POST", body });
  expect(answer.status).toBe(403);
  expect(((await answer.json()) as Json).message).toContain("CSRF");
  for (const wrong of ["variables=1&doc_id=27130156389949648", "variables={}", "", "variables=%7B"]) {
    const refused = await fetch(`${standin().origin}/api/graphql`, { method: "POST", body: wrong });
    expect(refused.status).toBe(400);
  }
});

test("odd forms, in both shapes", async () => {
  const carousel = codeOfKind(standin(), "carousel");
  const photo = codeOfKind(standin(), "photo");
  const hidden = codeOfKind(standin(), "hiddenLikes");
  const silent = codeOfKind(standin(), "noAudio");
  const music = codeOfKind(standin(), "musicOnly");
  const coauthors = codeOfKind(standin(), "coauthors");

  const album = await newMediaOf(standin(), carousel);
  expect(album).toMatchObject({ media_type: 8, video_versions: null });
  expect(album.carousel_media.map((each: Json) => each.media_type)).toEqual([2, 2]);
  expect(await newMediaOf(standin(), photo)).toMatchObject({ media_type: 1, video_versions: null });
  expect(await newMediaOf(standin(), codeOfKind(standin(), "nullCaption"))).toMatchObject({ caption: null });
  expect(await newMediaOf(standin(), hidden)).toMatchObject({ like_count: null, view_count: null, play_count: null });
  expect(await newMediaOf(standin(), silent)).toMatchObject({ has_audio: false });
  expect((await newMediaOf(standin(), music)).music_metadata.music_info.music_asset_info.title).toBeTruthy();
  expect((await newMediaOf(standin(), coauthors)).coauthor_producers).toHaveLength(2);

  standin().setShape("old");
  const oldAlbum = await oldMediaOf(standin(), carousel);
  expect(oldAlbum.__typename).toBe("XDTGraphSidecar");
  expect(oldAlbum.edge_sidecar_to_children.edges.map((edge: Json) => edge.node.is_video)).toEqual([true, true]);
  expect(await oldMediaOf(standin(), photo)).toMatchObject({ __typename: "XDTGraphImage", is_video: false });
  expect((await oldMediaOf(standin(), codeOfKind(standin(), "nullCaption"))).edge_media_to_caption.edges).toEqual([]);
  expect((await oldMediaOf(standin(), hidden)).edge_media_preview_like.count).toBe(-1);
  expect((await oldMediaOf(standin(), music)).clips_music_attribution_info.uses_original_audio).toBe(false);
});

test("posts that are not public, in both shapes", async () => {
  const dataOf = async (answer: Promise<Response>) => ((await (await answer).json()) as Json).data as Json;
  const [deleted, gone, gated] = ["private", "deleted", "ageGated"].map((kind) => codeOfKind(standin(), kind));
  expect((await dataOf(askNewShape(standin(), deleted ?? ""))).xig_polaris_media.if_not_gated_logged_out).toBeNull();
  expect((await dataOf(askNewShape(standin(), gone ?? ""))).xig_polaris_media).toBeNull();
  expect((await dataOf(askNewShape(standin(), gated ?? ""))).xig_polaris_media.if_not_gated_logged_out).toBeNull();
  expect((await newMediaOf(standin(), codeOfKind(standin(), "privateShown"))).user.is_private).toBe(true);
  standin().setShape("old");
  expect((await dataOf(askOldShape(standin(), gone ?? ""))).xdt_shortcode_media).toBeNull();
  expect((await oldMediaOf(standin(), gated ?? "")).gating_info.gating_type).toBe("age_gating");

  const ruling = `${standin().origin}/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=`;
  const titleOf = async (each: string) => ((await (await fetch(ruling + mediaIdOfCode(each))).json()) as Json).title;
  expect(await titleOf(gated ?? "")).toBe("Restricted Video");
  expect(await titleOf(code)).toBe("");
});

test("the mobile answer and oEmbed", async () => {
  const info = await fetch(`${standin().origin}/api/v1/media/${mediaIdOfCode(code)}/info/`);
  expect(((await info.json()) as Json).items[0].code).toBe(code);
  const oembed = await fetch(`${standin().origin}/api/v1/oembed/?url=${encodeURIComponent(standin().urlOf(code))}`);
  const frame = (await oembed.json()) as Json;
  expect(frame.html).toContain("instagram-media");
  expect(frame).not.toHaveProperty("author_name");
  expect((await fetch(`${standin().origin}/api/v1/oembed/?url=nonsense`)).status).toBe(404);
});
