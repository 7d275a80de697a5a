import type { Accounts, Allowances, KeyRequests, Keys } from "./accounts.ts";
import type { Batches } from "./batches.ts";
import type { Billing } from "./billing.ts";
import type { BioEvents, BioImages, BioLinkHealth, BioPages, ListedBioPages, PublicBioPages } from "./bio.ts";
import type { IdempotentAnswers, RateLimits } from "./calls.ts";
import type { Corrections, DeletedScripts, Scripts, ShareLinks, Tags } from "./library.ts";
import type { Files } from "./files.ts";
import type { Moderation } from "./moderation.ts";
import type { OperatorFigures, OperatorQueue } from "./operator.ts";
import type { PeriodicTask, TaskLeases } from "./periodic.ts";
import type { Thumbnails } from "./reels.ts";
import type { ReportLinks, Reports } from "./reports.ts";
import type { Retranscriptions } from "./retranscriptions.ts";
import type { SavedSearches, ScriptExports } from "./saved-searches.ts";
import type { SentMedia } from "./sent-media.ts";
import type { ExtensionCodes, Identities, OauthArtifacts, Passwords, Sessions, SignInAttempts } from "./sign-in.ts";
import type { TranscriptionState, Transcriptions } from "./transcriptions.ts";
import type { Translations } from "./translations.ts";
import type { Videos } from "./videos.ts";
import type { Webhooks } from "./webhooks.ts";
import type { PlatformPace, Workers } from "./workers.ts";

/** Everything that is stored. Implementations: PGlite embedded, PostgreSQL. One conformance suite tests both. */
export interface Store {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly keyRequests: KeyRequests;
  readonly sessions: Sessions;
  readonly identities: Identities;
  readonly signInAttempts: SignInAttempts;
  readonly passwords: Passwords;
  readonly extensionCodes: ExtensionCodes;
  readonly oauthArtifacts: OauthArtifacts;
  readonly rateLimits: RateLimits;
  readonly allowances: Allowances;
  readonly transcriptions: Transcriptions;
  readonly batches: Batches;
  readonly retranscriptions: Retranscriptions;
  readonly translations: Translations;
  readonly sentMedia: SentMedia;
  readonly files: Files;
  readonly videos: Videos;
  readonly scripts: Scripts;
  readonly deletedScripts: DeletedScripts;
  readonly tags: Tags;
  readonly savedSearches: SavedSearches;
  readonly scriptExports: ScriptExports;
  readonly corrections: Corrections;
  readonly shareLinks: ShareLinks;
  readonly reports: Reports;
  readonly reportLinks: ReportLinks;
  readonly billing: Billing;
  readonly bioPages: BioPages;
  readonly publicBioPages: PublicBioPages;
  readonly listedBioPages: ListedBioPages;
  readonly bioEvents: BioEvents;
  readonly bioImages: BioImages;
  readonly bioLinkHealth: BioLinkHealth;
  readonly idempotentAnswers: IdempotentAnswers;
  /** Stored here instead of in files, so that every answering process has them. Their bytes may be in an object storage. */
  readonly thumbnails: Thumbnails;
  readonly webhooks: Webhooks;
  readonly moderation: Moderation;
  readonly operatorQueue: OperatorQueue;
  readonly operatorFigures: OperatorFigures;
  readonly taskLeases: TaskLeases;
  readonly workers: Workers;
  readonly platformPace: PlatformPace;
  /** Periodic tasks that keep the store small and fast, and delete expired data. */
  readonly upkeep: readonly PeriodicTask[];
  /**
   * Calls back soon after a transcription was queued or finished, or a public bio page changed, in any process if the engine
   * supports it. A call may be missed or come late: correctness never depends on it. Returns a function that ends it.
   */
  subscribe(topic: "queued" | "finished" | "bioPages", listener: (transcriptionId?: string) => void): () => void;
  /**
   * Calls back with the state of a transcription, soon and then at least once a second, until the returned function is called;
   * with `undefined` if there is none with this id. Any number may watch: one query serves all of them. While the database is
   * down nobody is called.
   */
  watchTranscription(transcriptionId: string, listener: (state: TranscriptionState | undefined) => void): () => void;
  /** Cheap; throws if the database is down. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
