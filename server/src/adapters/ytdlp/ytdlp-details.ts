import * as z from "zod";
import type { ReelAddress, ReelDetails } from "../../ports.ts";
import {
  AuthorHandle,
  Caption,
  Count,
  DisplayName,
  lenient,
  picturesIn,
  Pixels,
  Positive,
  reelDetails,
  Sized,
  Word,
} from "../platforms/platform-media.ts";
import type { YtDlpManners } from "../platforms/platform.ts";
import { SourceFailure } from "../platforms/source-failure.ts";

const Information = z.object({
  description: Caption,
  channel: Word,
  uploader: Word,
  uploader_id: Word,
  timestamp: Positive,
  duration: Positive,
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  width: Pixels,
  height: Pixels,
  acodec: Word,
  thumbnails: lenient(z.array(Sized)),
  formats: lenient(z.array(z.object({ width: Pixels, height: Pixels }))),
});

/** The details in the first JSON line that yt-dlp prints, or `undefined` when it printed none. Throws `SourceFailure`. */
export function ytDlpDetails(
  output: string,
  reel: ReelAddress,
  manners: Pick<YtDlpManners, "handle" | "displayName">,
): ReelDetails | undefined {
  const line = output.split("\n").find((candidate) => candidate.startsWith("{"));
  if (line === undefined) return undefined;
  const parsed = Information.safeParse(parse(line));
  if (!parsed.success) throw new SourceFailure("changed", "yt-dlp printed other details than expected", parsed.error);
  const { data } = parsed;
  const largest = data.formats?.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0];
  return reelDetails(reel, {
    caption: data.description,
    handle: AuthorHandle.parse(data[manners.handle]?.replace(/^@/, "")),
    displayName: DisplayName.parse(data[manners.displayName]),
    verified: null,
    // The best come last.
    pictures: picturesIn(data.thumbnails).toReversed(),
    width: largest?.width ?? data.width,
    height: largest?.height ?? data.height,
    durationSeconds: data.duration,
    hasAudio: data.acodec == null ? null : data.acodec !== "none",
    views: data.view_count,
    likes: data.like_count,
    comments: data.comment_count,
    takenAt: data.timestamp,
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new SourceFailure("changed", "yt-dlp printed no JSON", error);
  }
}
