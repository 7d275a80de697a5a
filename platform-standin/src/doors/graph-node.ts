import type { MediaLinks } from "../reels/media-links.ts";
import type { StandinMedia, StandinReel } from "../reels/standin-reel.ts";

type Json = Record<string, unknown>;

function pictureOf(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): Json {
  const url = links.poster(reel, index);
  return {
    dimensions: { height: media.height, width: media.width },
    display_url: url,
    display_resources: [{ src: url, config_width: media.width, config_height: media.height }],
  };
}

function movingOf(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): Json {
  if (media.type === "photo") return { is_video: false };
  return {
    is_video: true,
    ...(reel.form === "noEmbed" ? {} : { video_url: links.video(reel, index) }),
    video_duration: media.seconds,
    has_audio: media.hasAudio,
    video_view_count: reel.views,
    video_play_count: reel.plays,
    dash_info: { is_dash_eligible: true, video_dash_manifest: null, number_of_qualities: 0 },
  };
}

const typeNameOf = ({ type }: StandinMedia): string => (type === "photo" ? "XDTGraphImage" : "XDTGraphVideo");

/** The post as `shortcode_media`, the format of the embed page. */
export function toGraphNode(reel: StandinReel, links: MediaLinks): Json {
  const { owner, caption, likes, comments } = reel;
  const first = reel.media[0]!; // safe: a post shows something
  const isCarousel = reel.media.length > 1;
  const children = reel.media.map((media, index) => ({
    node: {
      __typename: typeNameOf(media),
      id: String(BigInt(reel.mediaId) + BigInt(index + 1)),
      ...pictureOf(reel, media, index, links),
      ...movingOf(reel, media, index, links),
    },
  }));
  return {
    __typename: isCarousel ? "XDTGraphSidecar" : typeNameOf(first),
    id: reel.mediaId,
    shortcode: reel.code.slice(0, 11),
    thumbnail_src: links.poster(reel, 0),
    ...pictureOf(reel, first, 0, links),
    ...(isCarousel
      ? { is_video: false, edge_sidecar_to_children: { edges: children } }
      : movingOf(reel, first, 0, links)),
    edge_media_to_caption: { edges: caption === null ? [] : [{ node: { text: caption } }] },
    edge_media_preview_like: { count: likes ?? -1, edges: [] },
    edge_media_to_parent_comment: { count: comments, edges: [] },
    coauthor_producers: reel.coauthors.map(({ id, username, verified }) => ({ id, username, is_verified: verified })),
    owner: {
      id: owner.id,
      username: owner.username,
      full_name: owner.fullName,
      is_private: owner.private,
      is_verified: owner.verified,
      profile_pic_url: links.avatar(owner.username),
    },
    gating_info: null,
  };
}
