import type { Clock, PlatformContact, ReelAddress, ReelDetails, ReelSource } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import {
  createGuardedFetch,
  type FetchLimits,
  type GuardedFetch,
  type GuardedFetchOptions,
  type Page,
} from "../guarded-fetch/guarded-fetch.ts";
import type { ResolveHost } from "../guarded-fetch/guarded-lookup.ts";
import { browserUserAgent } from "./browser.ts";
import { directExits, type Exit, type Exits, type OpenExit } from "./exits.ts";
import type { Platform, PlatformMedia, PlatformSession, Sighting, Way } from "./platform.ts";
import { EmptyShell, SourceFailure, type WayVerdict } from "./source-failure.ts";

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

/** All addresses of a video have the same audio; if several fail, it isn't by chance. */
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

/** Requests to a platform and to the hosts of its media. */
export function fetchThrough(
  { proxy }: Exit,
  { origin, otherOrigins, mayBePrivate }: Platform,
  options: Pick<GuardedFetchOptions, "limits" | "resolveHost">,
): GuardedFetch {
  const origins = [origin, ...otherOrigins];
  return createGuardedFetch({ ...options, origins, mayBePrivate, userAgent: browserUserAgent, proxy });
}

export function createPlatformSession(
  platform: Platform,
  fetch: GuardedFetch,
  exit: Pick<OpenExit, "name" | "turn">,
  signal: AbortSignal,
  onSign?: () => void,
): PlatformSession {
  const { origin } = platform;
  const seen: Sighting[] = [];

  /** The platform sends unwanted callers to its login page or its front page. */
  const isWall = (target: URL, requestUrl: URL): boolean =>
    platform.isWall(target) || (target.pathname === "/" && requestUrl.pathname !== "/");

  function judge({ status, text }: Page, { pathname }: URL): void {
    if (status === 200) return;
    const outcome = `${pathname} answered ${status}`;
    if (status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400))
      throw new SourceFailure("walled", outcome);
    if (platform.asksToWait(text)) throw new SourceFailure("walled", outcome);
    if (status >= 500) throw new SourceFailure("unreachable", outcome);
    throw new SourceFailure(status === 404 || status === 410 ? "deleted" : "changed", outcome);
  }

  return {
    origin,
    exit: exit.name,
    signal,
    seen,
    async ask(path, question = {}) {
      await exit.turn();
      const url = new URL(path, origin);
      const page = await fetch
        .page(url, { ...question, onSign, follow: (target) => !isWall(target, url) }, signal)
        .catch(throwAsSourceFailure);
      seen.push({ path: url.pathname, status: page.status, text: page.text });
      judge(page, url);
      return { text: page.text, cookies: page.url.origin === origin ? cookiesOf(page) : new Map() };
    },
  };
}

function cookiesOf(page: Page): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const line of page.headers["set-cookie"] ?? []) {
    const [, name, value] = /^([\w.-]{1,100})=([\w%.:|/+=~-]{1,1000})(?:;|$)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && cookies.size < 20) cookies.set(name, value);
  }
  return cookies;
}

/** Other errors, such as the reason of a signal, stay what they are. */
export function throwAsSourceFailure(error: unknown): never {
  if (!(error instanceof FetchFailure)) throw error;
  const kinds = {
    refused: "changed",
    unreachable: "unreachable",
    tooLarge: "changed",
    badStatus: "unreachable",
    proxyFailed: "unreachable",
  } as const;
  throw new SourceFailure(kinds[error.reason], error.message, error);
}

interface WayOutcome {
  readonly way: string;
  readonly verdict: WayVerdict;
  /** The last response. */
  readonly sighting: Sighting | undefined;
  readonly media: PlatformMedia | undefined;
  readonly failure: SourceFailure | undefined;
}

/**
 * Tries one route, and returns its outcome with the last response. Throws the reason of the session's signal, and our own
 * faults.
 */
export async function tryWay(way: Way, reel: ReelAddress, session: PlatformSession): Promise<WayOutcome> {
  const before = session.seen.length;
  let media: PlatformMedia | undefined;
  let failure: SourceFailure | undefined;
  let verdict: WayVerdict = "data";
  try {
    media = await way.ask(reel, session);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    failure = error;
    verdict = error instanceof EmptyShell ? "shell" : error.meaning.verdict;
  }
  return { way: way.name, verdict, sighting: session.seen.slice(before).at(-1), media, failure };
}

/** Tries the routes one after the other. Throws `SourceFailure`, or the reason of the session's signal. */
async function askInTurn(
  platform: Platform,
  ways: readonly Way[],
  reel: ReelAddress,
  session: PlatformSession,
): Promise<PlatformMedia> {
  const outcomes: WayOutcome[] = [];
  const gone = new Set<Way["kind"]>();
  for (const way of ways) {
    const outcome = await tryWay(way, reel, session);
    const { media, failure } = outcome;
    if (media !== undefined) return media;
    if (failure === undefined || failure.meaning.endsWays || isSilence(failure)) throw failure;
    outcomes.push(outcome);
    if (failure.kind === "deleted") gone.add(way.kind);
    if (gone.size === 2)
      throw new SourceFailure(
        platform.isPrivateForm(reel.shortcode) ? "private" : "deleted",
        storyOf(outcomes),
        failure,
      );
  }
  throw worstOf(outcomes, platform);
}

/** If one route gets no complete response, the others would only cost time. */
function isSilence({ cause }: SourceFailure): boolean {
  return cause instanceof FetchFailure && (cause.reason === "unreachable" || cause.reason === "proxyFailed");
}

/** A wall explains all the rest. Otherwise the first route's failure counts, unless it alone says that the reel is gone. */
function worstOf(outcomes: readonly WayOutcome[], platform: Platform): SourceFailure {
  const failures = outcomes.flatMap(({ failure }) => (failure && failure.kind !== "deleted" ? [failure] : []));
  const worst = failures.find(({ kind }) => kind === "walled") ?? failures[0];
  const kind = worst?.kind ?? "changed";
  const seen = kind === "changed" ? `. ${outcomes.map((outcome) => seenBy(outcome, platform)).join("; ")}` : "";
  return new SourceFailure(kind, storyOf(outcomes) + seen, worst);
}

const storyOf = (outcomes: readonly WayOutcome[]): string =>
  outcomes.map(({ way, failure }) => `${way}: ${failure?.kind}: ${failure?.message}`).join("; ");

const shownCharacters = 200;

/** Details from which a change of the platform can be understood. */
function seenBy({ way, sighting }: WayOutcome, platform: Platform): string {
  if (sighting === undefined) return `${way} saw nothing`;
  const { status, text } = sighting;
  // Longer than the part that is shown, so that no token is cut before its end is found.
  const beginning = platform.strikeOut(text.slice(0, 10_000)).slice(0, shownCharacters);
  return `${way} saw ${status}, route ${platform.routeOf(text) ?? "none"}, ${JSON.stringify(beginning)}`;
}
