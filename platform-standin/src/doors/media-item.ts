import type { MediaLinks } from "../reels/media-links.ts";
import type { StandinMedia, StandinOwner, StandinReel } from "../reels/standin-reel.ts";

type Json = Record<string, unknown>;

const mediaTypes = { photo: 1, video: 2, carousel: 8 };

function userOf(owner: StandinOwner, links: MediaLinks): Json {
  return {
    pk: owner.id,
    id: owner.id,
    username: owner.username,
    full_name: owner.fullName,
    is_private: owner.private,
    is_verified: owner.verified,
    profile_pic_url: links.avatar(owner.username),
  };
}

function mediumOf(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): Json {
  const { width, height } = media;
  const picture = {
    image_versions2: { candidates: [{ url: links.poster(reel, index), width, height }] },
    original_width: width,
    original_height: height,
    media_type: mediaTypes[media.type],
  };
  if (media.type === "photo") return { ...picture, video_versions: null, video_duration: null, has_audio: null };
  const url = links.video(reel, index);
  return {
    ...picture,
    video_versions: [
      { id: `${reel.mediaId}${index}v`, type: 101, url, width, height },
      { id: `${reel.mediaId}${index}w`, type: 102, url, width: Math.round(width / 2), height: Math.round(height / 2) },
    ],
    video_dash_manifest: null,
    video_duration: media.seconds,
    video_codec: "avc1.64001e",
    has_audio: media.hasAudio,
  };
}

/** The post as `if_not_gated_logged_out` of the logged-out query and as `items[0]` of the mobile answer. */
export function toMediaItem(reel: StandinReel, links: MediaLinks): Json {
  const first = reel.media[0];
  if (!first) throw new Error(`reel ${reel.code} has no media`);
  const carousel = reel.media.length > 1;
  const children = reel.media.map((media, index) => {
    const pk = String(BigInt(reel.mediaId) + BigInt(index + 1));
    return { pk, id: `${pk}_${reel.owner.id}`, ...mediumOf(reel, media, index, links) };
  });
  const cover = {
    image_versions2: { candidates: [{ url: links.poster(reel, 0), width: first.width, height: first.height }] },
    original_width: first.width,
    original_height: first.height,
    media_type: mediaTypes.carousel,
    carousel_media_count: reel.media.length,
    carousel_media: children,
    video_versions: null,
    video_duration: null,
    has_audio: null,
  };
  return {
    pk: reel.mediaId,
    id: `${reel.mediaId}_${reel.owner.id}`,
    code: reel.code.slice(0, 11),
    product_type: carousel ? "carousel_container" : first.type === "video" ? "clips" : "feed",
    taken_at: reel.takenAt,
    caption: reel.caption === null ? null : { pk: `1${reel.mediaId}`, text: reel.caption, created_at: reel.takenAt },
    user: userOf(reel.owner, links),
    owner: userOf(reel.owner, links),
    ...(carousel ? cover : { ...mediumOf(reel, first, 0, links), carousel_media: null }),
    like_and_view_counts_disabled: reel.likes === null,
    like_count: reel.likes,
    comment_count: reel.comments,
    view_count: reel.views,
    play_count: reel.plays,
    ig_play_count: reel.plays,
    usertags: null,
    coauthor_producers: reel.coauthors.map((owner) => userOf(owner, links)),
    comments_connection: { edges: [] },
    clips_metadata: {
      original_sound_info: reel.music
        ? null
        : { audio_asset_id: reel.mediaId.slice(-12), original_audio_title: "Original audio" },
      music_info: reel.music ? musicOf(reel.music) : null,
    },
    music_metadata: { music_info: reel.music ? musicOf(reel.music) : null },
    timeline_pinned_user_ids: [],
    clips_tab_pinned_user_ids: [],
    accessibility_caption: null,
    is_paid_partnership: false,
    comments_disabled: false,
  };
}

const musicOf = ({ title, artist }: { title: string; artist: string }): Json => ({
  music_asset_info: { title, display_artist: artist },
});
