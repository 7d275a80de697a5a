import { ServiceError, type Reel } from "@reelscript/contract";
import type {
  PictureSize,
  ReelDetails,
  ReelIdentity,
  Transcriptions,
  Scripts,
  Moderation,
  Clock,
  Thumbnails,
  PictureSource,
} from "../ports.ts";
import { takenDown } from "../rules/refusals.ts";
import type { Handler } from "../run/handler.ts";
import type { AskPlatform } from "../run/ask-platform.ts";

interface ReelNeeds {
  readonly askPlatform: AskPlatform;
  readonly transcriptions: Transcriptions;
  readonly scripts: Scripts;
  readonly moderation: Moderation;
  readonly clock: Clock;
  readonly thumbnailOf: ThumbnailOf;
  /** Seconds of a reel that are transcribed. */
  readonly maxAudioSeconds: number;
}

export const resolveReel =
  (needs: ReelNeeds): Handler<"resolveReel"> =>
  async ({ input, caller, signal, deadline, whileWaiting }) => {
    const timeUp = AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now())));
    const either = AbortSignal.any([signal, timeUp]);
    const call = { caller, signal: either, whileWaiting };
    try {
      const reel = await needs.askPlatform.locate(input.url, call);
      if (await needs.moderation.isTakenDown(reel))
        throw new ServiceError("notFound", takenDown.message, { reason: "reelTakenDown" });
      const details = await needs.askPlatform.resolve(reel, call);
      const thumbnail = await whileWaiting(() => needs.thumbnailOf(details, either));
      const [cached, [script]] = await Promise.all([
        needs.transcriptions.isCached(reel),
        needs.scripts.findOfReels(caller.account.id, reel.platform, [reel.mediaId]),
      ]);
      return {
        ...details,
        thumbnail,
        resolvedAt: needs.clock.now(),
        transcript: {
          cached,
          cost: cached ? 0 : 1,
          ...((details.durationSeconds ?? 0) > needs.maxAudioSeconds && { audioCut: true as const }),
          ...(script && { scriptId: script.id }),
        },
      };
    } catch (error) {
      if (!timeUp.aborted || error instanceof ServiceError) throw error;
      throw new ServiceError("upstreamError", "The platform took too long to answer. Try again in a minute.", {
        reason: "platformUnreachable",
        cause: error,
      });
    }
  };

/** Gives the address of a reel's picture here; `null` when the platform shows none or it cannot be had in time. */
export type ThumbnailOf = (details: ReelDetails, signal: AbortSignal) => Promise<Reel["thumbnail"]>;

interface ThumbnailNeeds {
  readonly thumbnails: Thumbnails;
  readonly pictures: PictureSource;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** Receives errors with outside causes, such as an unavailable storage. */
  readonly onNotice: (error: unknown, where: string) => void;
}

/**
 * Pictures are fetched when a reel is resolved, while the platform's link still holds: the address then leads to what is
 * stored and never to a request of ours, whoever asks. Of callers at the same time one fetches.
 */
export function createThumbnailOf({ thumbnails, pictures, clock, baseUrl, onNotice }: ThumbnailNeeds): ThumbnailOf {
  const underWay = new Map<string, Promise<PictureSize | undefined>>();

  async function fetchOnce(reel: ReelIdentity, url: string): Promise<PictureSize | undefined> {
    try {
      return await thumbnails.keep(reel, await pictures.fetch(reel.platform, url), clock.now());
    } catch (error) {
      onNotice(error, `thumbnail of ${reel.platform} ${reel.mediaId}`);
      return undefined;
    }
  }

  return async ({ platform, mediaId, thumbnail }, signal) => {
    const reel = { platform, mediaId };
    const path = `${encodeURIComponent(platform)}/${encodeURIComponent(mediaId)}`;
    let size = await thumbnails.find(reel);
    if (size === undefined && thumbnail !== null) {
      let fetching = underWay.get(path);
      if (fetching === undefined) {
        fetching = fetchOnce(reel, thumbnail.url).finally(() => underWay.delete(path));
        underWay.set(path, fetching);
      }
      size = await Promise.race([fetching, aborted(signal)]);
    }
    return size === undefined ? null : { url: `${baseUrl()}/media/thumbnails/${path}.webp`, ...size };
  };
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
