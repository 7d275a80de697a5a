import type { Accounts, Keys } from "./accounts.ts";
import type { Allowances } from "./allowances.ts";
import type { Billing } from "./billing.ts";
import type { BioEvents, BioPages } from "./bio.ts";
import type { Identities, SignInAttempts } from "./identities.ts";
import type { IdempotentAnswers } from "./idempotent-answers.ts";
import type { KeyRequests } from "./key-requests.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Reports } from "./reports.ts";
import type { Scripts } from "./scripts.ts";
import type { Sessions } from "./sessions.ts";
import type { Thumbnails } from "./thumbnails.ts";
import type { Transcriptions } from "./transcriptions.ts";

/** Everything that is kept. Implementations: PGlite embedded, PostgreSQL. One conformance suite holds for both. */
export interface Store {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly keyRequests: KeyRequests;
  readonly sessions: Sessions;
  readonly identities: Identities;
  readonly signInAttempts: SignInAttempts;
  readonly rateLimits: RateLimits;
  readonly allowances: Allowances;
  readonly transcriptions: Transcriptions;
  readonly scripts: Scripts;
  readonly reports: Reports;
  readonly billing: Billing;
  readonly bioPages: BioPages;
  readonly bioEvents: BioEvents;
  readonly idempotentAnswers: IdempotentAnswers;
  /** Here and not in files, so that every process that answers has them, and backups too. */
  readonly thumbnails: Thumbnails;
  /**
   * Calls back soon after a transcription was queued or finished, in any process where the engine can tell. A call may be
   * missed or come late: correctness never depends on it. Returns the function that ends it.
   */
  subscribe(topic: "queued" | "finished", listener: () => void): () => void;
  /** Cheap; throws when the database is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
