import { momentOfInstagramId } from "@reelscript/contract/values";
import * as z from "zod";
import type { ReelAddress } from "../../../ports.ts";
import {
  dashAudioUrl,
  AuthorHandle,
  Caption,
  Count,
  DisplayName,
  Flag,
  lenient,
  Manifest,
  Pixels,
  type PlatformMedia,
  Positive,
  reelDetails,
  Sized,
  WebUrl,
} from "../platform-media.ts";
import { lengthOf } from "./media-address.ts";
import { readPost } from "./read-post.ts";
import { SourceFailure } from "../source-failure.ts";

const medium = {
  media_type: lenient(z.int()),
  display_uri: WebUrl,
  image_versions2: lenient(z.object({ candidates: lenient(z.array(Sized)) })),
  video_versions: lenient(z.array(Sized)),
  video_dash_manifest: Manifest,
  video_duration: Positive,
  has_audio: Flag,
  original_width: Pixels,
  original_height: Pixels,
};
const Medium = z.object(medium);
type Medium = z.infer<typeof Medium>;

const Post = z.object({
  ...medium,
  pk: lenient(z.coerce.string()),
  carousel_media: lenient(z.array(Medium)),
  taken_at: Positive,
  caption: lenient(z.object({ text: Caption })),
  user: lenient(z.object({ username: AuthorHandle, full_name: DisplayName, is_private: Flag, is_verified: Flag })),
  like_and_view_counts_disabled: Flag,
  like_count: Count,
  comment_count: Count,
  view_count: Count,
  play_count: Count,
  ig_play_count: Count,
});

const photo = 1;
const carousel = 8;

/** Reads a post as today's query, page cache and mobile answers carry it. Throws `SourceFailure`. */
export function readMediaItem(raw: unknown, reel: ReelAddress): PlatformMedia {
  const post = readPost(Post, raw, reel, ({ pk, user }) => ({ mediaId: pk, isPrivate: user?.is_private }));
  const video = videoOf(post);
  const shown = post.like_and_view_counts_disabled !== true;
  const pictures = [video, post].map(picturesOf);
  const mediaUrls = mediaUrlsOf(video);
  return {
    mediaUrls,
    details: reelDetails(reel, {
      caption: post.caption?.text,
      handle: post.user?.username,
      displayName: post.user?.full_name,
      verified: post.user?.is_verified,
      pictures: pictures.find((candidates) => candidates.length > 0) ?? [],
      width: video.original_width,
      height: video.original_height,
      durationSeconds: video.video_duration ?? lengthOf(video.video_dash_manifest, mediaUrls),
      hasAudio: video.has_audio,
      views: shown ? (post.play_count ?? post.ig_play_count ?? post.view_count) : null,
      likes: shown ? post.like_count : null,
      comments: post.comment_count,
      takenAt: post.taken_at ?? momentOfInstagramId(reel.mediaId).getTime() / 1_000,
    }),
  };
}

function videoOf(post: z.infer<typeof Post>): Medium {
  const media: readonly Medium[] = post.carousel_media?.length ? post.carousel_media : [post];
  const video = media.find((candidate) => candidate.video_versions?.length || candidate.video_dash_manifest);
  if (video !== undefined) return video;
  const onlyPhotos = media.every(({ media_type: type }) => type === photo);
  throw onlyPhotos && (post.media_type === photo || post.media_type === carousel)
    ? new SourceFailure("notVideo", "the post has photos only")
    : new SourceFailure("changed", "the post carries no video where it should");
}

/** The sound alone first, then the smallest version: every version has the same sound. */
function mediaUrlsOf(video: Medium): PlatformMedia["mediaUrls"] {
  const versions = withUrl(video.video_versions).toSorted(
    (one, other) => (one.width ?? Infinity) - (other.width ?? Infinity),
  );
  const dash = dashAudioUrl(video.video_dash_manifest ?? "");
  const [first, ...rest] = [...new Set([...(dash === undefined ? [] : [dash]), ...versions.map(({ url }) => url)])];
  if (first === undefined) throw new SourceFailure("changed", "the video has no address");
  return [first, ...rest];
}

function picturesOf({ image_versions2: versions, display_uri: url }: Medium) {
  const candidates = withUrl(versions?.candidates);
  return candidates.length > 0 ? candidates : withUrl([{ url, width: null, height: null }]);
}

function withUrl(sized: readonly z.infer<typeof Sized>[] | null | undefined) {
  return (sized ?? []).flatMap(({ url, width, height }) =>
    url ? [{ url, width: width ?? null, height: height ?? null }] : [],
  );
}
