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
  type Picture,
  Pixels,
  type PlatformMedia,
  Positive,
  reelDetails,
  WebUrl,
  Word,
} from "../platform-media.ts";
import { gateIn } from "./gating.ts";
import { lengthOf } from "./media-address.ts";
import { readPost } from "./read-post.ts";
import { SourceFailure } from "../source-failure.ts";

const Counted = lenient(z.object({ count: Count }));

const node = {
  __typename: Word,
  is_video: Flag,
  dimensions: lenient(z.object({ width: Pixels, height: Pixels })),
  display_url: WebUrl,
  display_resources: lenient(z.array(z.object({ src: WebUrl, config_width: Pixels, config_height: Pixels }))),
  thumbnail_src: WebUrl,
  video_url: WebUrl,
  dash_info: lenient(z.object({ video_dash_manifest: Manifest })),
  video_duration: Positive,
  has_audio: Flag,
  video_view_count: Count,
  video_play_count: Count,
};
const Node = z.object(node);
type Node = z.infer<typeof Node>;

const Post = z.object({
  ...node,
  id: Word,
  edge_sidecar_to_children: lenient(z.object({ edges: lenient(z.array(z.object({ node: Node }))) })),
  taken_at_timestamp: Positive,
  edge_media_to_caption: lenient(
    z.object({ edges: lenient(z.array(z.object({ node: z.object({ text: Caption }) }))) }),
  ),
  edge_media_preview_like: Counted,
  edge_media_to_parent_comment: Counted,
  edge_media_to_comment: Counted,
  edge_media_preview_comment: Counted,
  owner: lenient(z.object({ username: AuthorHandle, full_name: DisplayName, is_private: Flag, is_verified: Flag })),
  gating_info: z.unknown().optional(),
});

/** Reads a post as the embed page carries it. Throws `SourceFailure`. */
export function readGraphNode(raw: unknown, reel: ReelAddress): PlatformMedia {
  const post = readPost(Post, raw, reel, ({ id, owner }) => ({ mediaId: id, isPrivate: owner?.is_private }));
  const video = videoOf(post);
  const dash = dashAudioUrl(video.dash_info?.video_dash_manifest ?? "");
  const [first, ...rest] = [dash, video.video_url].filter((url) => url != null);
  if (first === undefined) throw new SourceFailure("changed", "the video has no address");
  return {
    mediaUrls: [first, ...rest],
    details: reelDetails(reel, {
      caption: post.edge_media_to_caption?.edges?.[0]?.node.text,
      handle: post.owner?.username,
      displayName: post.owner?.full_name,
      verified: post.owner?.is_verified,
      pictures: [video, post].map(picturesOf).find((pictures) => pictures.length > 0) ?? [],
      width: video.dimensions?.width,
      height: video.dimensions?.height,
      durationSeconds: video.video_duration ?? lengthOf(video.dash_info?.video_dash_manifest, [first, ...rest]),
      hasAudio: video.has_audio,
      views: video.video_play_count ?? video.video_view_count,
      likes: post.edge_media_preview_like?.count,
      comments:
        post.edge_media_to_parent_comment?.count ??
        post.edge_media_to_comment?.count ??
        post.edge_media_preview_comment?.count,
      takenAt: post.taken_at_timestamp ?? momentOfInstagramId(reel.mediaId).getTime() / 1_000,
    }),
  };
}

function videoOf(post: z.infer<typeof Post>): Node {
  if (post.gating_info != null) throw new SourceFailure(gateIn(post.gating_info) ?? "ageGated", "the post is gated");
  const children = post.edge_sidecar_to_children?.edges?.map((edge) => edge.node);
  const nodes = children?.length ? children : [post];
  const video = nodes.find((candidate) => candidate.video_url || candidate.dash_info?.video_dash_manifest);
  if (video !== undefined) return video;
  throw nodes.every((candidate) => candidate.is_video === false)
    ? new SourceFailure("notVideo", "the post has photos only")
    : new SourceFailure("changed", "the post carries no video where it should");
}

function picturesOf(source: Node): Picture[] {
  const resources = (source.display_resources ?? []).flatMap(({ src, config_width: width, config_height: height }) =>
    src ? [{ url: src, width: width ?? null, height: height ?? null }] : [],
  );
  const single = source.display_url ?? source.thumbnail_src;
  if (resources.length > 0 || !single) return resources;
  return [{ url: single, width: source.dimensions?.width ?? null, height: source.dimensions?.height ?? null }];
}
