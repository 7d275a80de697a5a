import type { Clock, ReelAddress, ReelSource } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import { createGuardedFetch, type FetchLimits } from "../guarded-fetch/guarded-fetch.ts";
import type { ResolveHost } from "../guarded-fetch/guarded-lookup.ts";
import { browserUserAgent } from "./browser.ts";
import type { Platform } from "./platform.ts";
import type { PlatformMedia } from "./platform-media.ts";
import { createPlatformSession, toSourceFailure } from "./platform-session.ts";
import { SourceFailure, type SourceFailureKind } from "./source-failure.ts";
import { askInTurn } from "./ways.ts";
import { createWallBreaker, type WallPause } from "./wall-breaker.ts";
import { watchSilence } from "./watch-silence.ts";

export interface PlatformSourceOptions {
  readonly platform: Platform;
  readonly clock: Clock;
  /** Of a media file. */
  readonly maxBytes: number;
  /** How long the platform is left alone after it asked to wait; without it, every reel asks again. */
  readonly pauseAfterWall?: WallPause | undefined;
  readonly limits?: Partial<FetchLimits> | undefined;
  /** Only for tests. */
  readonly resolveHost?: ResolveHost | undefined;
}

const plainAnswers: ReadonlySet<SourceFailureKind> = new Set([
  "private",
  "deleted",
  "ageGated",
  "regionGated",
  "notVideo",
]);
/** Every address of a video carries the same sound; more than a few do not fail by chance. */
const mediaAttempts = 3;

/**
 * Reels as a platform shows them to visitors without an account. As `ReelSource`, but throws `SourceFailure` (or the reason
 * of the signal).
 */
export function createPlatformSource(options: PlatformSourceOptions): ReelSource {
  const { platform, clock, maxBytes } = options;
  const ways = platform.createWays(clock);
  const breaker = options.pauseAfterWall && createWallBreaker(options.pauseAfterWall, clock);
  const fetch = createGuardedFetch({
    origins: [platform.origin, ...platform.otherOrigins],
    mayBePrivate: platform.mayBePrivate,
    userAgent: browserUserAgent,
    ...(options.limits && { limits: options.limits }),
    resolveHost: options.resolveHost,
  });

  async function ask(reel: ReelAddress, signal: AbortSignal, onSign?: () => void): Promise<PlatformMedia> {
    breaker?.check();
    try {
      const media = await askInTurn(platform, ways, reel, createPlatformSession({ platform, fetch, signal, onSign }));
      breaker?.answered();
      return media;
    } catch (error) {
      if (error instanceof SourceFailure && error.kind === "walled") breaker?.walled();
      else if (error instanceof SourceFailure && plainAnswers.has(error.kind)) breaker?.answered();
      throw error;
    }
  }

  const lastingUrls = ({ mediaUrls }: PlatformMedia): string[] =>
    mediaUrls.filter((url) => (platform.endOf(url) ?? Infinity) > clock.now().getTime());

  async function download(
    all: readonly string[],
    file: string,
    signal: AbortSignal,
    onSign: () => void,
  ): Promise<void> {
    const urls = all.slice(0, mediaAttempts);
    for (const [index, url] of urls.entries())
      try {
        await fetch.download(new URL(url), file, { maxBytes, onSign }, signal);
        return;
      } catch (error) {
        if (error instanceof FetchFailure && error.reason === "tooLarge")
          throw new SourceFailure("tooLarge", error.message, error);
        if (index === urls.length - 1 || !(error instanceof FetchFailure)) throw toSourceFailure(error);
      }
  }

  return {
    async resolve(reel, signal) {
      return (await ask(reel, signal)).details;
    },
    async fetch(reel, file, signal, contact) {
      const leaving = new AbortController();
      const silence = watchSilence(() => {
        if (contact?.onSilence()) leaving.abort();
      });
      const onSign = (): void => {
        silence.sign();
        contact?.onAnswer();
      };
      const either = AbortSignal.any([signal, leaving.signal]);
      try {
        let media = await ask(reel, either, onSign);
        // What comes from a cache of the platform may have run out; what is asked for next has not.
        if (lastingUrls(media).length === 0) media = await ask(reel, either, onSign);
        const lasting = lastingUrls(media);
        // If our clock is wrong, none seems to last.
        await download(lasting.length > 0 ? lasting : media.mediaUrls, file, either, onSign);
        return media.details;
      } catch (error) {
        if (leaving.signal.aborted && !signal.aborted)
          throw new SourceFailure("unreachable", "the platform was silent, and nobody waited for it", error);
        if (error instanceof SourceFailure && error.kind === "unreachable" && !silence.hasHeard()) contact?.onSilence();
        throw error;
      } finally {
        silence.stop();
      }
    },
  };
}
