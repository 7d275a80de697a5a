import type { Reel } from "@reelscript/contract";
import type { Clock, PictureSize, PictureSource, ReelDetails, ReelIdentity, Thumbnails } from "../../ports.ts";

interface ThumbnailOfNeeds {
  readonly thumbnails: Thumbnails;
  readonly pictures: PictureSource;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** Told why a picture could not be had. */
  readonly onNotice: (error: unknown, where: string) => void;
}

/** Gives the address of a reel's picture here; `null` when the platform shows none or it cannot be had in time. */
export type ThumbnailOf = (details: ReelDetails, signal: AbortSignal) => Promise<Reel["thumbnail"]>;

/**
 * Pictures are fetched when a reel is resolved, while the platform's link still holds: the address then leads to what is
 * stored and never to a request of ours, whoever asks. Of callers at the same time one fetches.
 */
export function createThumbnailOf({ thumbnails, pictures, clock, baseUrl, onNotice }: ThumbnailOfNeeds): ThumbnailOf {
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
