import { filePlatform, ServiceError, videoLimits, type VideoStyleName } from "@reelscript/contract";
import type { Clock, Files, LongWork, Scripts, StoredVideo, Videos } from "../../ports.ts";
import { noSuchScript, orThrow } from "../../rules/refusals.ts";

export interface BeginVideoNeeds {
  readonly scripts: Pick<Scripts, "findUnread">;
  readonly files: Pick<Files, "keptOf">;
  readonly videos: Videos;
  readonly longWork: LongWork;
  readonly clock: Clock;
  /** True if this process can make videos. */
  readonly makesVideos: boolean;
  /** Advice for operators, shown if no process can. */
  readonly advice: string;
  readonly maxFileBytes: number;
}

/** Bytes of all videos, in multiples of the largest file. */
const mostOfAll = 200;
const retryWhenFull = 600;

/** True if this process can make videos, or another one that works. */
export const canMakeVideos = async ({
  makesVideos,
  videos,
  clock,
}: Pick<BeginVideoNeeds, "makesVideos" | "videos" | "clock">): Promise<boolean> =>
  makesVideos || videos.hasMaker(clock.now());

/** Puts a video of a script into the line. Throws what its account should know. */
export async function beginVideo(
  needs: BeginVideoNeeds,
  {
    accountId,
    scriptId,
    style,
    replace,
  }: {
    readonly accountId: string;
    readonly scriptId: string;
    readonly style: VideoStyleName;
    /** False returns a former video that is kept, or that can't be made. */
    readonly replace: boolean;
  },
): Promise<StoredVideo> {
  const { scripts, files, videos, longWork, clock } = needs;
  if (!replace) {
    const former = await videos.listOfScript(accountId, scriptId);
    const latest = former?.find((video) => video.style === style && video.deletedAt === null);
    if (latest !== undefined && (latest.keptUntil !== null || latest.failure?.reason !== undefined)) return latest;
  }
  const script = orThrow(await scripts.findUnread(accountId, scriptId, { words: true }), noSuchScript);
  const { reel, seconds } = script.transcript;
  const file = reel.platform === filePlatform ? await files.keptOf(accountId, reel.mediaId) : undefined;
  if (file === undefined) throw notKept(reel.platform === filePlatform);
  if (!(await canMakeVideos(needs)))
    throw new ServiceError("invalidRequest", `This server can't make subtitled videos. ${needs.advice}`, {
      reason: "videosNotSetUp",
    });
  if (seconds > videoLimits.longestSeconds) throw tooLong();
  const { text } = await longWork("makeVideoSubtitles", { script, style }, accountId);
  if (text === undefined)
    throw new ServiceError("invalidRequest", "Nothing is said in this file, so there are no subtitles to show.", {
      reason: "nothingSaid",
    });
  const begun = await videos.begin(
    { accountId, fileId: file.id, scriptId, style, subtitles: text, seconds, now: clock.now() },
    { mostOfAccount: videoLimits.perAccount, mostBytes: mostOfAll * needs.maxFileBytes },
  );
  switch (begun.kind) {
    case "begun":
      return begun.video;
    case "tooMany":
      throw new ServiceError(
        "rateLimited",
        `Your account has ${videoLimits.perAccount} subtitled videos, the most at a time. Delete one first.`,
        { reason: "tooManyVideos", retryAfter: retryWhenFull },
      );
    case "full":
      throw new ServiceError("unavailable", "The service has no room for videos right now. Try again later.", {
        retryAfter: retryWhenFull,
      });
  }
}

const notKept = (isFile: boolean): ServiceError =>
  new ServiceError(
    "invalidRequest",
    isFile
      ? "The file of this script isn't kept any more. Send it again and keep it for some days: its script costs nothing a second time."
      : "Only files of your own become subtitled videos. We don't keep the videos of reels.",
    { reason: "fileNotKept" },
  );

const tooLong = (): ServiceError =>
  new ServiceError(
    "invalidRequest",
    `The file is longer than ${videoLimits.longestSeconds / 60} minutes, the most for a subtitled video.`,
    { reason: "videoTooLong" },
  );
