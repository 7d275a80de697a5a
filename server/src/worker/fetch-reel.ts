import { open, rm } from "node:fs/promises";
import { ServiceError } from "@reelscript/contract";
import type { Claim, PlatformContact, ReelDetails, ReelSource, Store } from "../ports.ts";
import type { PlatformHealth } from "./health.ts";

/** Time limit of other sources, such as yt-dlp, which don't report that a platform is silent. */
const otherSourcesMilliseconds = 30_000;

/** The platform doesn't answer this worker, so another one should try. */
export class PlatformUnanswered extends Error {
  override readonly name = "PlatformUnanswered";
  /** The worker only tested whether the platform answers again, which says nothing about the reel. */
  readonly isProbe: boolean;

  constructor(isProbe: boolean, cause: unknown) {
    super("The platform does not answer this worker. Another one tries.", { cause });
    this.isProbe = isProbe;
  }
}

/**
 * `silent`: the platform doesn't answer. `refused`: it told our addresses to wait when it was asked about this reel. `resting`:
 * it wasn't asked, because our addresses rest or their proxies fail.
 */
type AwayKind = "silent" | "refused" | "resting";

/** The platform answers nobody here. */
export class PlatformAway extends Error {
  override readonly name = "PlatformAway";
  override readonly cause: ServiceError;
  readonly kind: AwayKind;

  constructor(kind: AwayKind, cause: ServiceError) {
    super("The platform answers nobody here.", { cause });
    this.kind = kind;
    this.cause = cause;
  }
}

/**
 * Writes the media to `file`. Throws `PlatformUnanswered` if another worker should try, and `PlatformAway` if there is none.
 */
export async function fetchReel(
  {
    source,
    platform,
    onWait,
  }: {
    readonly source: ReelSource;
    readonly platform: PlatformHealth;
    /** Called when waiting for a turn at the platform begins and ends. */
    readonly onWait: (isWaiting: boolean) => void;
  },
  claim: Claim,
  file: string,
  signal: AbortSignal,
): Promise<ReelDetails> {
  const isProbe = !platform.isWell();
  const givenUp = new AbortController();
  let away: AwayKind | undefined;
  let mayPassOn = false;
  let giveUp: NodeJS.Timeout | undefined;
  function noteAway(kind: AwayKind): void {
    away = kind;
    mayPassOn = platform.mayPassOn(claim, isProbe);
    if (mayPassOn) giveUp ??= setTimeout(() => givenUp.abort(), otherSourcesMilliseconds);
  }
  const contact: PlatformContact = {
    onAnswer() {
      away = undefined;
      mayPassOn = false;
      clearTimeout(giveUp);
      giveUp = undefined;
    },
    onSilence() {
      noteAway("silent");
      return mayPassOn;
    },
    onRest: (isRefused) => noteAway(isRefused ? "refused" : "resting"),
    onWait(isWaiting) {
      onWait(isWaiting);
      // Waiting for a turn doesn't count toward the time limit of other sources.
      clearTimeout(giveUp);
      giveUp = isWaiting || !mayPassOn ? undefined : setTimeout(() => givenUp.abort(), otherSourcesMilliseconds);
    },
  };
  try {
    const reel = await source.fetch(claim.reel, file, AbortSignal.any([signal, givenUp.signal]), contact);
    platform.answered();
    return reel;
  } catch (error) {
    if (signal.aborted) throw error;
    if (away === undefined || (!givenUp.signal.aborted && !isUpstream(error))) {
      if (error instanceof ServiceError) platform.answered();
      throw error;
    }
    platform.unanswered();
    if (mayPassOn) throw new PlatformUnanswered(isProbe, error);
    throw isUpstream(error) ? new PlatformAway(away, error) : error;
  } finally {
    clearTimeout(giveUp);
  }
}

const isUpstream = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === "upstreamError";

/** Writes the account's sent media to `file`. Only the address of the reel is known, because the platform isn't requested. */
export async function takeSentMedia(
  { sentMedia }: Pick<Store, "sentMedia">,
  { transcriptionId, reel }: Claim,
  file: string,
  signal: AbortSignal,
): Promise<ReelDetails> {
  const opened = await open(file, "wx", 0o600);
  try {
    for (let number = 0; ; number += 1) {
      signal.throwIfAborted();
      const part = await sentMedia.readPart(transcriptionId, number);
      if (part === undefined) break;
      await opened.writeFile(part);
    }
  } finally {
    await opened.close();
  }
  return {
    ...reel,
    caption: null,
    author: { handle: null, displayName: null, verified: null },
    thumbnail: null,
    dimensions: null,
    durationSeconds: null,
    hasAudio: null,
    views: null,
    likes: null,
    comments: null,
    postedAt: null,
  };
}

const longestKeptMilliseconds = 10 * 60 * 1_000;
const lookMilliseconds = 1_000;

/** A reel's media in their own folder, which belongs to the holder of this object. */
interface FetchedReel {
  readonly directory: string;
  readonly details: ReelDetails;
}

/**
 * Media of reels that were fetched here and given back before they were transcribed. If such a reel comes back, it isn't
 * fetched twice.
 */
export interface FetchedReels {
  keep(claim: Claim, fetched: FetchedReel): void;
  /** The caller who takes one removes its folder, or stores it again. */
  take(claim: Claim): FetchedReel | undefined;
  /** Removes all of them, for example when the disk is full. */
  clear(): Promise<void>;
}

/** Keeps at most `most` reels, each for ten minutes at most, and only as long as it is in the queue. */
export function createFetchedReels({
  most,
  isQueued,
  onFault,
}: {
  readonly most: number;
  readonly isQueued: (transcriptionId: string) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}): FetchedReels {
  const byId = new Map<string, FetchedReel & { readonly timer: NodeJS.Timeout }>();
  function remove(id: string): FetchedReel | undefined {
    const fetched = byId.get(id);
    clearTimeout(fetched?.timer);
    byId.delete(id);
    return fetched;
  }
  async function discard(id: string): Promise<void> {
    const fetched = remove(id);
    if (fetched) await rm(fetched.directory, { recursive: true, force: true }).catch(onFault);
  }
  /** Discards the reel after two checks in a row found it with another worker. A single check may still see our own claim. */
  function watch(id: string, endsAt: number, looksElsewhere = 0): NodeJS.Timeout {
    return setTimeout(async () => {
      const fetched = byId.get(id);
      // While the database is down, nobody else has the reel.
      const isElsewhere = !(await isQueued(id).catch(() => true));
      if (fetched === undefined || byId.get(id) !== fetched) return;
      if (performance.now() > endsAt || (isElsewhere && looksElsewhere > 0)) return void discard(id);
      byId.set(id, { ...fetched, timer: watch(id, endsAt, isElsewhere ? looksElsewhere + 1 : 0) });
    }, lookMilliseconds).unref();
  }
  return {
    keep({ transcriptionId: id }, { directory, details }) {
      void discard(id);
      const [oldest] = byId.keys();
      if (byId.size >= most && oldest !== undefined) void discard(oldest);
      byId.set(id, { directory, details, timer: watch(id, performance.now() + longestKeptMilliseconds) });
    },
    take: ({ transcriptionId }) => remove(transcriptionId),
    clear: async () => void (await Promise.all([...byId.keys()].map(discard))),
  };
}
