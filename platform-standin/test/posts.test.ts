import { mediaIdOfCode } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { ask, embedMediaOf, frame, type Json, shownOf } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";

test("a post names its video three times, with length and expiry", async () => {
  const media = await shownOf(standin(), code);
  const [first, ...others] = media.video_versions as Json[];
  expect(others.map(({ type, url }) => [type, url])).toEqual([102, 103].map((type) => [type, first!["url"]]));
  const address = new URL(first!["url"] as string);
  const parameters = JSON.parse(Buffer.from(address.searchParams.get("efg") ?? "", "base64").toString());
  expect(parameters.duration_s).toBe(27);
  expect(Number.parseInt(address.searchParams.get("oe") ?? "", 16) * 1000).toBeGreaterThan(Date.now() + 31 * 3600_000);
});

test("odd forms", async () => {
  const of = (kind: string) => shownOf(standin(), codeOfKind(standin(), kind));
  const album = await of("carousel");
  expect(album).toMatchObject({ media_type: 8, video_versions: null });
  expect(album.carousel_media.map((each: Json) => each.media_type)).toEqual([2, 2]);
  expect((await of("musicOnly")).clips_metadata.music_info.music_asset_info.title).toBeTruthy();
  expect((await of("coauthors")).coauthor_producers).toHaveLength(2);
  for (const kind of ["noAudio", "noSound"]) {
    const silent = await of(kind);
    expect(silent.has_audio).toBe(false);
    expect(silent.video_dash_manifest).not.toContain("audio/mp4");
  }
});

test("the embed page has a shape of its own", async () => {
  const of = async (kind: string) =>
    embedMediaOf((await ask(standin().urlOf(codeOfKind(standin(), kind), "embedCaptioned"), frame)).text)!;
  expect(await of("speech")).toMatchObject({ id: mediaIdOfCode(code), shortcode: code, is_video: true });
  expect((await of("carousel")).edge_sidecar_to_children.edges.map((edge: Json) => edge.node.is_video)).toEqual([
    true,
    true,
  ]);
  expect(await of("photo")).toMatchObject({ __typename: "XDTGraphImage", is_video: false });
  expect((await of("nullCaption")).edge_media_to_caption.edges).toEqual([]);
  expect((await of("hiddenLikes")).edge_media_preview_like.count).toBe(-1);
});
