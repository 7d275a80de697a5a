import { countIn, flagIn, listIn, member, positiveIn, textIn, webAddressIn } from "./members.ts";

/** A picture that has an address. */
export interface SizedPicture {
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** A video or a photo, as far as the platform describes it; missing values are `null`. */
interface Medium {
  readonly isPhoto: boolean;
  /** Addresses of the video, the smallest first; all versions have the same audio. */
  readonly videos: readonly string[];
  /** MPEG-DASH. */
  readonly manifest: string | null;
  readonly pictures: readonly SizedPicture[];
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
  readonly hasAudio: boolean | null;
  readonly views: number | null;
}

export interface InstagramPost extends Medium {
  readonly id: string | null;
  readonly handle: string | null;
  readonly displayName: string | null;
  readonly isVerified: boolean | null;
  readonly isPrivate: boolean | null;
  readonly caption: string | null;
  readonly likes: number | null;
  readonly comments: number | null;
  /** Seconds since 1970. */
  readonly takenAt: number | null;
  /** The media of a post that has several. */
  readonly media: readonly Medium[];
}

const widthOf = ({ width }: SizedPicture): number => width ?? Infinity;

/** Reads the pictures that have an address. */
export const picturesIn = (
  values: readonly unknown[],
  names = { url: "url", width: "width", height: "height" },
): SizedPicture[] =>
  values.flatMap((value) => {
    const url = webAddressIn(value, names.url);
    return url === null ? [] : [{ url, width: pixelsIn(value, names.width), height: pixelsIn(value, names.height) }];
  });

const pixelsIn = (value: unknown, name: string): number | null => countIn(value, name) || null;

/** The first list that isn't empty. */
const firstOf = (...lists: readonly (readonly SizedPicture[])[]): readonly SizedPicture[] =>
  lists.find(({ length }) => length > 0) ?? [];

const authorOf = (user: unknown) => ({
  handle: textIn(user, "username"),
  displayName: textIn(user, "full_name"),
  isVerified: flagIn(user, "is_verified"),
  isPrivate: flagIn(user, "is_private"),
});

const itemMedium = (item: unknown): Medium => ({
  isPhoto: member(item, "media_type") === 1,
  videos: picturesIn(listIn(item, "video_versions"))
    .toSorted((one, other) => widthOf(one) - widthOf(other))
    .map(({ url }) => url),
  manifest: textIn(item, "video_dash_manifest"),
  pictures: firstOf(
    picturesIn(listIn(member(item, "image_versions2"), "candidates")),
    picturesIn([{ url: member(item, "display_uri") }]),
  ),
  width: pixelsIn(item, "original_width"),
  height: pixelsIn(item, "original_height"),
  seconds: positiveIn(item, "video_duration"),
  hasAudio: flagIn(item, "has_audio"),
  views: countIn(item, "play_count") ?? countIn(item, "ig_play_count") ?? countIn(item, "view_count"),
});

/** Then the numbers with the flag mean nothing: they are zero, or only what a stranger sees. */
const hidesCounts = (post: unknown): boolean =>
  flagIn(post, "like_and_view_counts_disabled") === true || countIn(post, "like_and_view_counts_disabled") === 1;

const withoutViews = (medium: Medium): Medium => ({ ...medium, views: null });

/** Reads a post in the shape of current queries, pages and mobile responses, whatever `item` is. */
export function readInstagramItem(item: unknown): InstagramPost {
  const isHidden = hidesCounts(item);
  const mediumOf = (one: unknown): Medium => (isHidden ? withoutViews(itemMedium(one)) : itemMedium(one));
  return {
    ...mediumOf(item),
    ...authorOf(
      [member(item, "user"), member(item, "owner")].find((one) => textIn(one, "username") !== null) ??
        member(item, "user"),
    ),
    id: textIn(item, "pk"),
    caption: textIn(member(item, "caption"), "text"),
    likes: isHidden ? null : countIn(item, "like_count"),
    comments: countIn(item, "comment_count"),
    takenAt: positiveIn(item, "taken_at"),
    media: listIn(item, "carousel_media").map(mediumOf),
  };
}

const resourceNames = { url: "src", width: "config_width", height: "config_height" };

function nodeMedium(node: unknown): Medium {
  const size = member(node, "dimensions");
  const width = pixelsIn(size, "width");
  const height = pixelsIn(size, "height");
  const video = webAddressIn(node, "video_url");
  return {
    isPhoto: member(node, "is_video") === false,
    videos: video === null ? [] : [video],
    manifest: textIn(member(node, "dash_info"), "video_dash_manifest"),
    pictures: firstOf(
      picturesIn(listIn(node, "display_resources"), resourceNames),
      picturesIn([{ url: member(node, "display_url") ?? member(node, "thumbnail_src"), width, height }]),
    ),
    width,
    height,
    seconds: positiveIn(node, "video_duration"),
    hasAudio: flagIn(node, "has_audio"),
    views: countIn(node, "video_play_count") ?? countIn(node, "video_view_count"),
  };
}

/** Reads a post in the former shape with edges, which the embed page has, whatever `node` is. */
export function readInstagramNode(node: unknown): InstagramPost {
  const firstCount = (...names: readonly string[]): number | null =>
    names.map((name) => countIn(member(node, name), "count")).find((count) => count !== null) ?? null;
  const edgesOf = (name: string): unknown[] => listIn(member(node, name), "edges").map((edge) => member(edge, "node"));
  const isHidden = hidesCounts(node);
  const mediumOf = (one: unknown): Medium => (isHidden ? withoutViews(nodeMedium(one)) : nodeMedium(one));
  return {
    ...mediumOf(node),
    ...authorOf(member(node, "owner")),
    id: textIn(node, "id"),
    caption: textIn(edgesOf("edge_media_to_caption")[0], "text"),
    likes: isHidden ? null : firstCount("edge_media_preview_like", "edge_liked_by"),
    comments: firstCount("edge_media_to_parent_comment", "edge_media_to_comment", "edge_media_preview_comment"),
    takenAt: positiveIn(node, "taken_at_timestamp"),
    media: edgesOf("edge_sidecar_to_children").map(mediumOf),
  };
}
