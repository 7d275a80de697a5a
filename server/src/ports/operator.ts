import type { Decision } from "./moderation.ts";
import type { ReelAddress } from "./reels.ts";
import type { Failure } from "./transcriptions.ts";

export interface QueuedWork {
  readonly id: string;
  readonly state: "queued" | "running" | "failed";
  readonly accountId: string | null;
  readonly url: string;
  readonly queuedAt: Date;
  readonly attempt: number;
  /** From 0 to 1. */
  readonly progress: number;
  /** No worker can claim it before then, because its platform or recognizer is unavailable. */
  readonly resumeAt: Date | null;
  /** The code of the failure. */
  readonly failure: string | null;
}

/** The facts about a failed transcription that are needed to restart it. */
export interface FailedWork {
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  /** `null` when the account is gone. */
  readonly accountId: string | null;
  /** The slot of the key that provided the unit; `null` if none was held. */
  readonly slot: number | null;
  /** True if the account sent its media, which are deleted by now. */
  readonly isSent: boolean;
}

/** The queue as an operator sees and changes it. Each change is written together with its audit entry. */
export interface OperatorQueue {
  /**
   * Lists queued and running transcriptions, the oldest first, or failed ones among the last 10,000, the newest first; at most
   * `limit`, those that follow the transcription `after`.
   */
  list(selection: {
    readonly state: "open" | "failed";
    readonly accountId: string | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<QueuedWork[]>;
  /** Since when workers must not claim anything; `undefined` if they may. */
  drainedSince(): Promise<Date | undefined>;
  /** From now on workers claim nothing. False, without an entry, if they already had to stop. */
  drain(decision: Decision): Promise<boolean>;
  /** Lets workers claim again. False, without an entry, if the queue wasn't drained. */
  resume(decision: Decision): Promise<boolean>;
  /** Ends a queued or running transcription and returns its unit. False, without an entry, if there is none with this id. */
  cancel(id: string, failure: Failure, decision: Decision): Promise<boolean>;
  /**
   * Lets workers claim a transcription that waits for its platform or recognizer. False, without an entry, if none with this id
   * is queued.
   */
  hurry(id: string, decision: Decision): Promise<boolean>;
  findFailed(id: string): Promise<FailedWork | undefined>;
  /** Removes a remembered refusal of the reel, so that the failed transcription can be tried before the refusal expires. */
  forgetRefusals(id: string, reel: ReelAddress, decision: Decision): Promise<void>;
}

/** Figures of the queue and of holds, for operators. */
export interface StoredWork {
  readonly queued: number;
  readonly running: number;
  readonly oldestQueuedAt: Date | null;
  /** Counts at most 1,000. */
  readonly held: number;
  readonly oldestHeldAt: Date | null;
}

/** Reels that wait for something that is away. */
export interface StoredOutage {
  readonly waitingFor: "platform" | "recognizer" | "storage";
  /** The platform of the reels. */
  readonly platform: string;
  readonly reels: number;
  /** When it was first away for one of them. */
  readonly since: Date;
}

/** A task that one process does for the whole service. */
export interface StoredTask {
  readonly name: string;
  /** A process works on it now, or died while it did. */
  readonly isHeld: boolean;
  /** When the next run is due, or until when the lease lasts. */
  readonly until: Date;
}

/** The tables, compared with this release. */
export interface StoredTables {
  /** The last migration, of whichever release, and when it was applied. */
  readonly newest: { readonly name: string; readonly appliedAt: Date };
  /** Migrations of this release that the database lacks. */
  readonly pending: readonly string[];
  /** Migrations of a newer release that was here. */
  readonly newer: readonly string[];
  /** The last migration of the earliest release that starts on these tables; `null` if none before this one does. */
  readonly oldestRelease: string | null;
}

/** Figures of the whole service for operators. Each is bounded, whatever the service has stored. */
export interface OperatorFigures {
  /** Counts the transcriptions queued and running, and the holds. */
  work(): Promise<StoredWork>;
  /** The longest first; at most 20. */
  outages(): Promise<StoredOutage[]>;
  /** The workers that reported within a day, the latest first; at most 50. An embedded database has none. */
  workers(now: Date): Promise<readonly { readonly name: string; readonly seenAt: Date; readonly isWell: boolean }[]>;
  /** By name; at most 100. */
  tasks(): Promise<StoredTask[]>;
  database(): Promise<{ readonly kind: "embedded" | "server"; readonly version: string; readonly bytes: number }>;
  tables(): Promise<StoredTables>;
  /** The last backup that is known; `undefined` if none is. */
  lastBackupAt(): Promise<Date | undefined>;
}

/** The result of looking at one part of the service. */
export interface ServicePart {
  readonly subject: string;
  /** `wrong`: waiting won't help; `away`: no answer; `note`: it works, but may surprise you. */
  readonly state: "ok" | "note" | "away" | "wrong";
  /** Sentences; the last one is the remedy if there is one. */
  readonly text: string;
}

/** Tests everything that the settings name, within some seconds. Never throws. */
export type CheckParts = () => Promise<readonly ServicePart[]>;
