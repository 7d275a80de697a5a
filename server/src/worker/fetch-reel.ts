import { open } from "node:fs/promises";
import { ServiceError } from "@reelscript/contract";
import type { Claim, PlatformContact, ReelDetails, ReelSource, Store } from "../ports.ts";
import type { PlatformHealth } from "./platform-health.ts";

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
