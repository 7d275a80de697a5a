import type { Claim, Clock, ReelSource, Store, Transcriber } from "../ports.ts";
import type { OutageReport } from "../rules/report-outages.ts";
import type { FetchedReels } from "./fetch-reel.ts";
import type { MachineHealth, OnOutage, Outages, PlatformHealth } from "./health.ts";

export interface WorkOnClaimNeeds {
  readonly store: Store;
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
  readonly clock: Clock;
  /** Folder for media during transcription. */
  readonly workDirectory: string;
  readonly health: MachineHealth;
  readonly platform: PlatformHealth;
  readonly outages: Outages;
  readonly fetchedReels: FetchedReels;
  /** Seconds of the longest file of an account's own. */
  readonly maxFileSeconds: number;
  /** Reports outages of lease renewals. */
  readonly renewals: OutageReport;
  /** The sample reel that the dashboard offers: people aren't charged for it. */
  readonly sampleReelUrl?: string | undefined;
  readonly onFault: (error: unknown, claim?: Claim) => void;
  /** Called when the media have arrived, and whenever more of them was recognized. */
  readonly onProgress?: () => void;
}

/**
 * Why a worker claims nothing although it has room for more: it drains; a reel that crashed before is running, and runs alone;
 * its recognizer hangs or is unavailable; the platform is silent to it or busy; its disk is full; it rests after a failure of
 * its machine; the database is down.
 */
export type Obstacle =
  | "draining"
  | "crashedReel"
  | "recognizerStalled"
  | "recognizerAway"
  | "platformSilent"
  | "platformBusy"
  | "noRoom"
  | "resting"
  | "databaseAway";

/** Needs of a worker that chooses its own claims. */
export interface WorkerNeeds extends Omit<
  WorkOnClaimNeeds,
  "health" | "platform" | "outages" | "fetchedReels" | "renewals" | "onProgress"
> {
  /** Unique among workers. */
  readonly name: string;
  /** How long a reel waits for an unavailable platform or recognizer. */
  readonly outageSeconds: number;
  readonly onOutage?: OnOutage | undefined;
  /** Called with the obstacle when it changes, and without one when the worker claims again. */
  readonly onObstacle?: ((obstacle: Obstacle | undefined) => void) | undefined;
  /** Limit of a reel's media. */
  readonly maxMediaBytes: number;
  /** Limit of a file of an account's own. */
  readonly maxFileBytes: number;
}
