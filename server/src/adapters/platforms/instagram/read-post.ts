import { momentOfInstagramId } from "@reelscript/contract/values";
import * as z from "zod";
import type { ReelAddress } from "../../../ports.ts";
import {
  AuthorHandle,
  Caption,
  Count,
  dashAudioUrl,
  dashSeconds,
  DisplayName,
  Flag,
  lenient,
  Manifest,
  picturesIn,
  Pixels,
  type PlatformMedia,
  Positive,
  type RawDetails,
  reelDetails,
  Sized,
  WebUrl,
  Word,
} from "../platform-media.ts";
import { SourceFailure } from "../source-failure.ts";
import { gateIn } from "./front-page.ts";

const Author = lenient(
  z.object({ username: AuthorHandle, full_name: DisplayName, is_private: Flag, is_verified: Flag }),
);

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

const Item = z.object({
  ...medium,
  pk: lenient(z.coerce.string()),
  carousel_media: lenient(z.array(Medium)),
  taken_at: Positive,
  caption: lenient(z.object({ text: Caption })),
  user: Author,
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
  const post = read(Item, raw);
  const { user } = post;
  refuseOther(reel, post.pk, user?.is_private);
  const media: readonly Medium[] = post.carousel_media?.length ? post.carousel_media : [post];
  const video = media.find((candidate) => candidate.video_versions?.length || candidate.video_dash_manifest);
  const onlyPhotos = media.every(({ media_type: type }) => type === photo);
  if (video === undefined) throw noVideo(onlyPhotos && (post.media_type === photo || post.media_type === carousel));
  const shown = post.like_and_view_counts_disabled !== true;
  // The smallest version: every version has the same sound.
  const versions = picturesIn(video.video_versions).toSorted(
    (one, other) => (one.width ?? Infinity) - (other.width ?? Infinity),
  );
  return mediaOf(reel, {
    manifest: video.video_dash_manifest,
    urls: versions.map(({ url }) => url),
    pictures: [video, post].flatMap(({ image_versions2: versions, display_uri: url }) => [
      versions?.candidates,
      [{ url }],
    ]),
    caption: post.caption?.text,
    handle: user?.username,
    displayName: user?.full_name,
    verified: user?.is_verified,
    width: video.original_width,
    height: video.original_height,
    durationSeconds: video.video_duration,
    hasAudio: video.has_audio,
    views: shown ? (post.play_count ?? post.ig_play_count ?? post.view_count) : null,
    likes: shown ? post.like_count : null,
    comments: post.comment_count,
    takenAt: post.taken_at,
  });
}

const Counted = lenient(z.object({ count: Count }));

const Resource = z
  .object({ src: WebUrl, config_width: Pixels, config_height: Pixels })
  .transform(({ src, config_width, config_height }) => ({ url: src, width: config_width, height: config_height }));

const node = {
  is_video: Flag,
  dimensions: lenient(z.object({ width: Pixels, height: Pixels })),
  display_url: WebUrl,
  display_resources: lenient(z.array(Resource)),
  thumbnail_src: WebUrl,
  video_url: WebUrl,
  dash_info: lenient(z.object({ video_dash_manifest: Manifest })),
  video_duration: Positive,
  has_audio: Flag,
  video_view_count: Count,
  video_play_count: Count,
};
const Node = z.object(node);

const GraphPost = z.object({
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
  owner: Author,
  gating_info: z.unknown().optional(),
});

/** Reads a post as the embed page carries it. Throws `SourceFailure`. */
export function readGraphNode(raw: unknown, reel: ReelAddress): PlatformMedia {
  const post = read(GraphPost, raw);
  const { owner } = post;
  refuseOther(reel, post.id, owner?.is_private);
  if (post.gating_info != null) throw new SourceFailure(gateIn(post.gating_info) ?? "ageGated", "the post is gated");
  const children = post.edge_sidecar_to_children?.edges?.map((edge) => edge.node);
  const nodes = children?.length ? children : [post];
  const video = nodes.find((candidate) => candidate.video_url || candidate.dash_info?.video_dash_manifest);
  if (video === undefined) throw noVideo(nodes.every((candidate) => candidate.is_video === false));
  return mediaOf(reel, {
    manifest: video.dash_info?.video_dash_manifest,
    urls: video.video_url == null ? [] : [video.video_url],
    pictures: [video, post].flatMap(({ display_resources, display_url, thumbnail_src, dimensions }) => [
      display_resources,
      [{ url: display_url ?? thumbnail_src, ...dimensions }],
    ]),
    caption: post.edge_media_to_caption?.edges?.[0]?.node.text,
    handle: owner?.username,
    displayName: owner?.full_name,
    verified: owner?.is_verified,
    width: video.dimensions?.width,
    height: video.dimensions?.height,
    durationSeconds: video.video_duration,
    hasAudio: video.has_audio,
    views: video.video_play_count ?? video.video_view_count,
    likes: post.edge_media_preview_like?.count,
    comments:
      post.edge_media_to_parent_comment?.count ??
      post.edge_media_to_comment?.count ??
      post.edge_media_preview_comment?.count,
    takenAt: post.taken_at_timestamp,
  });
}

function read<Post>(schema: z.ZodType<Post>, raw: unknown): Post {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new SourceFailure("changed", "the post is no object", parsed.error);
  return parsed.data;
}

/** Only the reel's own post, of a public account, will do. */
function refuseOther(reel: ReelAddress, mediaId: string | null | undefined, isPrivate: boolean | null | undefined) {
  if (mediaId != null && mediaId !== reel.mediaId)
    throw new SourceFailure("changed", "the answer is about another post");
  if (isPrivate === true) throw new SourceFailure("private", "the account is private");
}

const noVideo = (onlyPhotos: boolean): SourceFailure =>
  onlyPhotos
    ? new SourceFailure("notVideo", "the post has photos only")
    : new SourceFailure("changed", "the post carries no video where it should");

interface RawMedia extends Omit<RawDetails, "pictures"> {
  readonly manifest: string | null | undefined;
  /** Of the video, the cheapest first. */
  readonly urls: readonly string[];
  /** Lists of pictures; the first that isn't empty is taken. */
  readonly pictures: readonly Parameters<typeof picturesIn>[0][];
}

/** The sound alone comes first. */
function mediaOf(reel: ReelAddress, { manifest, urls, pictures, ...raw }: RawMedia): PlatformMedia {
  const dash = dashAudioUrl(manifest ?? "");
  const [first, ...rest] = new Set(dash === undefined ? urls : [dash, ...urls]);
  if (first === undefined) throw new SourceFailure("changed", "the video has no address");
  return {
    mediaUrls: [first, ...rest],
    details: reelDetails(reel, {
      ...raw,
      pictures: pictures.map(picturesIn).find((found) => found.length > 0) ?? [],
      durationSeconds: raw.durationSeconds ?? dashSeconds(manifest ?? "") ?? secondsIn([first, ...rest]),
      takenAt: raw.takenAt ?? momentOfInstagramId(reel.mediaId).getTime() / 1_000,
    }),
  };
}

/** When an address of media runs out, in milliseconds since 1970. */
export function endOf(url: string): number | undefined {
  const end = parameter(url, "oe");
  return end !== undefined && /^[\da-f]{1,9}$/i.test(end) ? Number.parseInt(end, 16) * 1_000 : undefined;
}

const secondsIn = (urls: readonly string[]): number | undefined =>
  urls.map(secondsOf).find((seconds) => seconds !== undefined);

function secondsOf(url: string): number | undefined {
  try {
    const told: unknown = JSON.parse(Buffer.from(parameter(url, "efg") ?? "", "base64").toString("utf8"));
    const seconds = typeof told === "object" && told !== null && "duration_s" in told ? told.duration_s : undefined;
    return typeof seconds === "number" && seconds > 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
}

function parameter(url: string, name: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? undefined) : undefined;
}
