import type { Clock, RecognizerVersion, Store } from "../../ports.ts";
import type { QuotaScope } from "../../rules/allowance.ts";

/** What every operation needs that puts a reel into the queue. */
export interface QueueNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
  readonly recognizer: RecognizerVersion;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
}
