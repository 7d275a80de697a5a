import type { Clock, ReelAddress } from "../ports.ts";

const firstPause = 1_000;
const longestPause = 30_000;
/** Pauses between two tries of a reel. They grow with the duration of the outage. */
const shortestWait = 2_000;
const longestWait = 60_000;
const shareOfOutage = 0.5;

/** A dependency of reels: a platform, or a recognizer, which may be one for a single language. */
export interface Needed {
  readonly kind: "platform" | "recognizer";
  /** The platform, or the language of a separate endpoint. */
  readonly name?: string | undefined;
}

/** Called when a dependency becomes unavailable, with the error, and when it is back. */
export type OnOutage = (needed: Needed, change: { readonly isAway: boolean; readonly error?: unknown }) => void;

interface Absence {
  readonly needed: Needed;
  failures: number;
  restsUntil: number;
  isProbed: boolean;
}

export interface Outages {
  /** Platforms that must not be requested now. */
  restingPlatforms(): string[];
  /** False while the recognizer is unavailable, except for one reel at a time that tries it. */
  mayClaim(inHand: number): boolean;
  /** Records that a reel of the platform is being worked on. During an outage of the platform, no second one is claimed. */
  begin(platform: string): void;
  /** Records that the reel is done, whatever its outcome. */
  end(platform: string): void;
  answered(needed: Needed): void;
  /** Records that the platform provided the reel. */
  fetched(reel: ReelAddress): void;
  /** The last reel that the platform provided; `undefined` before the first one. */
  lastFetched(platform: string): ReelAddress | undefined;
  failed(needed: Needed, error: unknown): void;
  hasAnsweredSince(needed: Needed, moment: Date): boolean;
  /** True if the dependency is unavailable, or came back after the moment. */
  wasAwaySince(needed: Needed, moment: Date): boolean;
  /** When a reel that has waited since `since` may be claimed again; `undefined` if it has waited long enough. */
  resumeAt(since: Date): Date | undefined;
  /** Reels that have waited since this moment or longer have waited long enough. */
  overdueSince(): Date;
}

const keyOf = ({ kind, name = "" }: Needed): string => `${kind} ${name}`;

/**
 * Tracks outages of platforms and recognizers (docs/decisions/queue.md). During one, claiming pauses, except for one reel now
 * and then that tries again.
 */
export function createOutages({
  clock,
  outageSeconds,
  onOutage = () => undefined,
}: {
  readonly clock: Clock;
  /** How long a reel may wait. */
  readonly outageSeconds: number;
  readonly onOutage?: OnOutage | undefined;
}): Outages {
  const absent = new Map<string, Absence>();
  const answers = new Map<string, number>();
  const returns = new Map<string, number>();
  const fetchedReels = new Map<string, ReelAddress>();
  const rests = ({ restsUntil, isProbed }: Absence): boolean => isProbed || performance.now() < restsUntil;
  const recognizer = keyOf({ kind: "recognizer" });
  const ofPlatform = (name: string): Absence | undefined => absent.get(keyOf({ kind: "platform", name }));
  return {
    restingPlatforms: () =>
      [...absent.values()].flatMap((absence) =>
        absence.needed.kind === "platform" && rests(absence) ? [absence.needed.name ?? ""] : [],
      ),
    mayClaim(inHand) {
      const absence = absent.get(recognizer);
      return absence === undefined || (inHand === 0 && !rests(absence));
    },
    begin(platform) {
      const absence = ofPlatform(platform);
      if (absence) absence.isProbed = true;
    },
    end(platform) {
      const absence = ofPlatform(platform);
      if (absence) absence.isProbed = false;
    },
    answered(needed) {
      const key = keyOf(needed);
      const now = clock.now().getTime();
      answers.set(key, now);
      if (!absent.delete(key)) return;
      returns.set(key, now);
      onOutage(needed, { isAway: false });
    },
    fetched: (reel) => void fetchedReels.set(reel.platform, reel),
    lastFetched: (platform) => fetchedReels.get(platform),
    failed(needed, error) {
      // Nothing pauses while nothing waits.
      if (outageSeconds === 0) return;
      const key = keyOf(needed);
      const now = performance.now();
      const absence = absent.get(key) ?? { needed, failures: 0, restsUntil: 0, isProbed: false };
      if (!absent.has(key)) onOutage(needed, { isAway: true, error });
      absent.set(key, absence);
      // Failures of reels that ran at the same time count once.
      if (now < absence.restsUntil) return;
      absence.restsUntil = now + Math.min(longestPause, firstPause * 2 ** absence.failures);
      absence.failures = Math.min(absence.failures + 1, 10);
    },
    hasAnsweredSince: (needed, moment) => (answers.get(keyOf(needed)) ?? -Infinity) > moment.getTime(),
    wasAwaySince(needed, moment) {
      const key = keyOf(needed);
      return absent.has(key) || (returns.get(key) ?? -Infinity) > moment.getTime();
    },
    resumeAt(since) {
      const now = clock.now().getTime();
      const waited = now - since.getTime();
      if (waited >= outageSeconds * 1_000) return undefined;
      return new Date(now + Math.min(longestWait, Math.max(shortestWait, waited * shareOfOutage)));
    },
    overdueSince: () => new Date(clock.now().getTime() - outageSeconds * 1_000),
  };
}
