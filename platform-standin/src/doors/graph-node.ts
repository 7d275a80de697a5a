import type { MediaLinks } from "../reels/media-links.ts";
import type { StandinMedia, StandinOwner, StandinReel } from "../reels/standin-reel.ts";

type Json = Record<string, unknown>;

function ownerOf(owner: StandinOwner, links: MediaLinks): Json {
  return {
    id: owner.id,
    username: owner.username,
    full_name: owner.fullName,
    is_private: owner.private,
    is_verified: owner.verified,
    profile_pic_url: links.avatar(owner.username),
    edge_followed_by: { count: 12_000 + Number(owner.id.slice(-4)) },
    edge_owner_to_timeline_media: { count: 40 + Number(owner.id.slice(-2)) },
  };
}

function dashOf(media: StandinMedia): Json {
  return { is_dash_eligible: media.type === "video", video_dash_manifest: null, number_of_qualities: 0 };
}

function pictureOf(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): Json {
  const url = links.poster(reel, index);
  return {
    dimensions: { height: media.height, width: media.width },
    display_url: url,
    display_resources: [{ src: url, config_width: media.width, config_height: media.height }],
    accessibility_caption: null,
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
    dash_info: dashOf(media),
  };
}

function typeNameOf(reel: StandinReel): string {
  if (reel.media.length > 1) return "XDTGraphSidecar";
  return reel.media[0]?.type === "photo" ? "XDTGraphImage" : "XDTGraphVideo";
}

const countOf = (count: number, edges: Json[] = []): Json => ({ count, edges });

/** The post as `xdt_shortcode_media` (and, on the embed page, `shortcode_media`). */
export function toGraphNode(reel: StandinReel, links: MediaLinks): Json {
  const first = reel.media[0];
  if (!first) throw new Error(`reel ${reel.code} has no media`);
  const carousel = reel.media.length > 1;
  const children = reel.media.map((media, index) => ({
    node: {
      __typename: media.type === "video" ? "XDTGraphVideo" : "XDTGraphImage",
      id: String(BigInt(reel.mediaId) + BigInt(index + 1)),
      ...pictureOf(reel, media, index, links),
      ...movingOf(reel, media, index, links),
    },
  }));
  return {
    __typename: typeNameOf(reel),
    id: reel.mediaId,
    shortcode: reel.code.slice(0, 11),
    product_type: carousel ? "carousel_container" : first.type === "video" ? "clips" : "feed",
    title: null,
    thumbnail_src: links.poster(reel, 0),
    ...pictureOf(reel, first, 0, links),
    ...(carousel ? { is_video: false } : movingOf(reel, first, 0, links)),
    ...(carousel ? { edge_sidecar_to_children: { edges: children } } : {}),
    edge_media_to_caption: {
      edges: reel.caption === null ? [] : [{ node: { text: reel.caption } }],
    },
    edge_media_preview_like: countOf(reel.likes ?? -1),
    edge_media_to_parent_comment: countOf(reel.comments),
    edge_media_to_comment: countOf(reel.comments),
    edge_media_preview_comment: countOf(reel.comments),
    edge_media_to_tagged_user: { edges: [] },
    owner: ownerOf(reel.owner, links),
    coauthor_producers: reel.coauthors.map(({ id, username, verified }) => ({ id, username, is_verified: verified })),
    pinned_for_users: [],
    clips_music_attribution_info: {
      artist_name: reel.music?.artist ?? reel.owner.username,
      song_name: reel.music?.title ?? "Original audio",
      uses_original_audio: reel.music === null,
      should_mute_audio: false,
      audio_id: reel.mediaId.slice(-12),
    },
    location: null,
    is_paid_partnership: false,
    is_ad: false,
    comments_disabled: false,
    gating_info: null,
    sensitivity_friction_info: null,
    viewer_can_reshare: true,
  };
}
