import type { Clock, PlatformContact, ReelAddress, ReelDetails, ReelSource } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import type { FetchLimits, GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { ResolveHost } from "../guarded-fetch/guarded-lookup.ts";
import { directExits, type Exits, type OpenExit } from "./exits.ts";
import type { Platform, Sighting } from "./platform.ts";
import type { PlatformMedia } from "./platform-media.ts";
import { createPlatformSession, fetchThrough, throwAsSourceFailure } from "./platform-session.ts";
import { SourceFailure } from "./source-failure.ts";
import { askInTurn } from "./ways.ts";

export interface PlatformSourceOptions {
  readonly platform: Platform;
  readonly clock: Clock;
  /** Size limit of a media file. */
  readonly maxBytes: number;
  /** Without them the platform is reached directly, without limits. */
  readonly exits?: Exits | undefined;
  readonly limits?: Partial<FetchLimits> | undefined;
  /** Only for tests. */
  readonly resolveHost?: ResolveHost | undefined;
}

/** All addresses of a video carry the same sound; if several fail, it isn't by chance. */
const mediaAttempts = 3;

/**
 * Fetches reels as a platform shows them to visitors without an account. Like any `ReelSource`, but throws `SourceFailure`
 * (or the reason of the signal).
 */
export function createPlatformSource(options: PlatformSourceOptions): ReelSource {
  const { platform, clock, maxBytes } = options;
  const ways = platform.createWays(clock);
  const { exits = directExits } = options;

  const lastingUrls = ({ mediaUrls }: PlatformMedia): string[] =>
    mediaUrls.filter((url) => (platform.endOf(url) ?? Infinity) > clock.now().getTime());

  async function download(
    fetch: GuardedFetch,
    urls: readonly string[],
    file: string,
    signal: AbortSignal,
    onSign: () => void,
  ): Promise<void> {
    let last: unknown;
    for (const url of urls.slice(0, mediaAttempts))
      try {
        return await fetch.download(new URL(url), file, maxBytes, signal, onSign);
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        if (error.reason === "tooLarge") throw new SourceFailure("tooLarge", error.message, error);
        last = error;
      }
    throwAsSourceFailure(last);
  }

  /** Ends with `SourceFailure` `unreachable` if others may get an answer where this exit doesn't. */
  async function fetchFrom(
    exit: OpenExit,
    reel: ReelAddress,
    file: string,
    signal: AbortSignal,
    contact?: PlatformContact,
  ): Promise<ReelDetails> {
    const leaving = new AbortController();
    const silence = watchSilence(() => {
      if (exit.hasNext() || contact?.onSilence()) leaving.abort();
    });
    const onSign = (): void => {
      silence.sign();
      contact?.onAnswer();
    };
    const either = AbortSignal.any([signal, leaving.signal]);
    const fetch = fetchThrough(exit, platform, options);
    const pacedExit = { name: exit.name, turn: (): Promise<void> => silence.during(() => exit.turn()) };
    let seen: readonly Sighting[] = [];
    try {
      const ask = (): Promise<PlatformMedia> => {
        const session = createPlatformSession(platform, fetch, pacedExit, either, onSign);
        ({ seen } = session);
        return askInTurn(platform, ways, reel, session);
      };
      let media = await ask();
      // Addresses from a cache of the platform may have expired; a new request gets fresh ones.
      if (lastingUrls(media).length === 0) media = await ask();
      const lasting = lastingUrls(media);
      // If our clock is wrong, all addresses seem to have expired.
      await download(fetch, lasting.length > 0 ? lasting : media.mediaUrls, file, either, onSign);
      return media.details;
    } catch (error) {
      if (leaving.signal.aborted && !signal.aborted)
        throw new SourceFailure("unreachable", "the platform was silent, and nobody waited for it", error);
      // The platform is in trouble whatever is requested, which is as good as no answer. Its front page says nothing about reels.
      const ofReels = seen.filter(({ path }) => path !== "/");
      const isInTrouble = ofReels.length > 0 && ofReels.every(({ status }) => status >= 500);
      const isAnswer = silence.hasHeard() && !isInTrouble;
      if (error instanceof SourceFailure && error.kind === "unreachable" && !isAnswer && !exit.hasNext())
        contact?.onSilence();
      throw error;
    } finally {
      silence.stop();
    }
  }

  return {
    resolve: (reel, signal, accountId = "") =>
      exits.use({ signal, hurriedFor: accountId }, async (exit) => {
        const session = createPlatformSession(platform, fetchThrough(exit, platform, options), exit, signal);
        return (await askInTurn(platform, ways, reel, session)).details;
      }),
    fetch: (reel, file, signal, contact) =>
      exits.use({ signal, onWait: contact?.onWait, onRest: contact?.onRest }, (exit) =>
        fetchFrom(exit, reel, file, signal, contact),
      ),
  };
}

const intervalMilliseconds = 500;
const mostSilentLooks = 6;

/**
 * Calls `onSilence` after three seconds without a sign of life, and then twice a second until the next one. It counts checks
 * instead of seconds, so that time in which this process was suspended counts as nobody's silence.
 */
function watchSilence(onSilence: () => void) {
  let silentLooks = 0;
  let hasArrived = false;
  let isWaiting = false;
  const timer = setInterval(() => {
    silentLooks = isWaiting ? 0 : silentLooks + 1;
    if (silentLooks >= mostSilentLooks) onSilence();
  }, intervalMilliseconds);
  return {
    /** Something has come. */
    sign(): void {
      hasArrived = true;
      silentLooks = 0;
    },
    /** True once anything has come. */
    hasHeard: (): boolean => hasArrived,
    /** While we are waiting for our turn, nobody is silent. */
    async during<Value>(wait: () => Promise<Value>): Promise<Value> {
      isWaiting = true;
      try {
        return await wait();
      } finally {
        isWaiting = false;
        silentLooks = 0;
      }
    },
    stop: (): void => clearInterval(timer),
  };
}
