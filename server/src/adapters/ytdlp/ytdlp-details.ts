import { countIn, listIn, picturesIn, positiveIn, textIn } from "@reelscript/contract/values";
import type { ReelAddress, ReelDetails } from "../../ports.ts";
import { reelDetails, type YtDlpManners } from "../platforms/platform.ts";
import { SourceFailure } from "../platforms/source-failure.ts";

/** The details in the first JSON line that yt-dlp prints, or `undefined` when it printed none. Throws `SourceFailure`. */
export function ytDlpDetails(
  output: string,
  reel: ReelAddress,
  manners: Pick<YtDlpManners, "handle" | "displayName">,
): ReelDetails | undefined {
  const line = output.split("\n").find((candidate) => candidate.startsWith("{"));
  if (line === undefined) return undefined;
  const printed = parse(line);
  const [largest] = listIn(printed, "formats").toSorted((one, other) => widthOf(other) - widthOf(one));
  const codec = textIn(printed, "acodec");
  return reelDetails(reel, {
    caption: textIn(printed, "description"),
    handle: textIn(printed, manners.handle)?.replace(/^@/, "") || null,
    displayName: textIn(printed, manners.displayName),
    verified: null,
    // The best ones are last.
    pictures: picturesIn(listIn(printed, "thumbnails")).toReversed(),
    width: countIn(largest, "width") ?? countIn(printed, "width"),
    height: countIn(largest, "height") ?? countIn(printed, "height"),
    durationSeconds: positiveIn(printed, "duration"),
    hasAudio: codec === null ? null : codec !== "none",
    views: countIn(printed, "view_count"),
    likes: countIn(printed, "like_count"),
    comments: countIn(printed, "comment_count"),
    takenAt: positiveIn(printed, "timestamp"),
  });
}

const widthOf = (format: unknown): number => countIn(format, "width") ?? 0;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new SourceFailure("changed", "yt-dlp printed no JSON", error);
  }
}
