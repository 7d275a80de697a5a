import { mkdir, statfs } from "node:fs/promises";
import type { Claim, Clock, ReelAddress } from "../ports.ts";

/** A rest doubles with each failure in a row. */
const firstRest = 1_000;
const longestRest = 30_000;
const longestMachineRest = 60_000;
/** A transcription takes a few files; other parts of the service need some too. */
const fewestFiles = 100;

/** Whether the machine of this worker can take another transcription. */
export interface MachineHealth {
  /** False while the disk is full, and while the machine rests after it failed a transcription. */
  mayClaim(): Promise<boolean>;
  /** True if the machine was healthy at the last claim, and isn't resting. */
  isWell(): boolean;
  /** True if the disk had room at the last claim. */
  hasRoom(): boolean;
  /** The machine failed a transcription. The worker rests longer after each failure in a row: 1 s, 2 s, up to 60 s. */
  failed(): void;
  succeeded(): void;
}

export function createMachineHealth(needs: {
  readonly workDirectory: string;
  /** Bytes that must be free. */
  readonly room: number;
  /** The beginning of the sentence that says what isn't done without them; it is about transcribing unless given. */
  readonly work?: string;
  /** Called when the disk becomes unusable, and again after it was usable in between. */
  readonly onFault: (error: unknown) => void;
}): MachineHealth {
  const { workDirectory, room, work = "Nothing is transcribed here", onFault } = needs;
  let failures = 0;
  let restsUntil = 0;
  let isLacking = false;

  async function lacking(): Promise<string | undefined> {
    await mkdir(workDirectory, { recursive: true, mode: 0o700 });
    const { bavail, bsize, files, ffree } = await statfs(workDirectory);
    const free = bavail * bsize;
    if (free < room) return `${Math.floor(free / 1_000_000)} MB are free, ${Math.ceil(room / 1_000_000)} MB are needed`;
    // Some file systems do not count files.
    if (files > 0 && ffree < fewestFiles) return `${ffree} more files are possible, ${fewestFiles} are needed`;
    return undefined;
  }

  return {
    async mayClaim() {
      if (performance.now() < restsUntil) return false;
      const lack = await lacking().catch((error: unknown) => String(error));
      if (lack !== undefined && !isLacking) onFault(new Error(`${work} for lack of room in ${workDirectory}: ${lack}`));
      isLacking = lack !== undefined;
      return !isLacking;
    },
    isWell: () => !isLacking && performance.now() >= restsUntil,
    hasRoom: () => !isLacking,
    failed() {
      restsUntil = performance.now() + Math.min(longestMachineRest, firstRest * 2 ** failures);
      failures = Math.min(failures + 1, 10);
    },
    succeeded() {
      failures = 0;
    },
  };
}

const codes: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EACCES",
  "EPERM",
  "ENOENT",
  "ENOTDIR",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
]);
const mostCauses = 10;

/** True if something failed because this machine has no space, memory or files left: another one may succeed. */
export function isFaultOfMachine(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth += 1) {
    if ("code" in at && "syscall" in at && codes.has(at.code)) return true;
    at = at.cause;
  }
  return false;
}

/**
 * After this many setbacks the next worker keeps the reel until it is done or failed, because the platform may answer
 * nobody.
 */
const mostSetbacks = 3;
/** From this many setbacks on, giving a reel back uses up an attempt. */
const setbacksThatCount = 5;
/** A healthy worker takes the next reel within this time, however busy it is. */
const longestProbing = 10 * 60_000;
const mostProbed = 1_000;

/** Whether the platform answers this worker, and so which reels it may claim (docs/decisions/queue.md). */
export interface PlatformHealth {
  /**
   * The reason to claim nothing: reels wait for a turn at the platform, or the worker rests because the platform was
   * silent to it, and then tries one reel at a time. It never rests while no other worker is healthy.
   */
  obstacle(inHand: number): "platformBusy" | "platformSilent" | undefined;
  isWell(): boolean;
  /**
   * True if another worker may get an answer where this one gets none. A worker that got none the last time either is only
   * probing: it leaves the reel to healthy workers, even while all of them are busy, but not forever.
   */
  mayPassOn(claim: Claim, isProbe: boolean): boolean;
  /** The platform responded, or another source had the reel. */
  answered(): void;
  /** Claims nothing for this long: reels wait for the platform in the queue, which is fair. */
  busy(seconds: number): void;
  /** The worker rests longer after each failure in a row: 1 s, 2 s, up to 30 s. */
  unanswered(): void;
}

export function createPlatformHealth(hasWellFellow: () => boolean): PlatformHealth {
  let isWell = true;
  let rests = 0;
  let restsUntil = 0;
  let busyUntil = 0;
  const firstWaitById = new Map<string, number>();

  function mayWait({ transcriptionId, setbacks }: Claim): boolean {
    const now = performance.now();
    const since = firstWaitById.get(transcriptionId) ?? now;
    firstWaitById.set(transcriptionId, since);
    const [oldest] = firstWaitById.keys();
    if (firstWaitById.size > mostProbed && oldest !== undefined) firstWaitById.delete(oldest);
    return setbacks < setbacksThatCount && now - since < longestProbing;
  }

  return {
    obstacle(inHand) {
      if (performance.now() < busyUntil) return "platformBusy";
      const mayTry = isWell || !hasWellFellow() || (inHand === 0 && performance.now() >= restsUntil);
      return mayTry ? undefined : "platformSilent";
    },
    isWell: () => isWell,
    mayPassOn(claim, isProbe) {
      if (claim.retranscribes === true || claim.crashed === true || !hasWellFellow()) return false;
      return isProbe ? mayWait(claim) : claim.setbacks < mostSetbacks;
    },
    answered() {
      isWell = true;
      rests = 0;
      restsUntil = 0;
      firstWaitById.clear();
    },
    busy(seconds) {
      busyUntil = performance.now() + seconds * 1_000;
    },
    unanswered() {
      isWell = false;
      const now = performance.now();
      // If no worker gets an answer, none rests. Failures of reels that ran at the same time count once.
      if (!hasWellFellow() || now < restsUntil) return;
      restsUntil = now + Math.min(longestRest, firstRest * 2 ** rests);
      rests = Math.min(rests + 1, 10);
    },
  };
}

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
      absence.restsUntil = now + Math.min(longestRest, firstRest * 2 ** absence.failures);
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
