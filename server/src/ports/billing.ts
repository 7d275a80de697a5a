import type { BilledSubscription, Payment } from "./biller.ts";

/** A subscription as it was last read from the biller. */
export interface StoredSubscription extends Omit<BilledSubscription, "lastPayment" | "customerId"> {
  /** `null` when the biller knows the subscription no more. */
  readonly customerId: string | null;
}

/** Who pays for what. The account's plan and paid period are changed here and nowhere else. */
export interface Billing {
  /** Whether the event's effect is stored. */
  knows(eventId: string): Promise<boolean>;
  /** As it was last read, and how many readings of it were stored. */
  find(
    subscriptionId: string,
  ): Promise<{ readonly subscription: StoredSubscription; readonly version: number } | undefined>;
  /**
   * Stores an event with its effect, all or nothing: the subscription as it was read while `version` held, and its
   * payments, each of which counts once whatever the events. `"stale"`, and nothing is written, when another reading was
   * stored since; `"known"` for an event that is stored; `"removed"` when the account was deleted, `"noAccount"` when
   * it was never here.
   */
  record(reading: {
    readonly event: { readonly id: string } | null;
    readonly subscription: StoredSubscription & { readonly lastPayment: Payment | null };
    readonly payment: Payment | null;
    readonly version: number;
    readonly now: Date;
  }): Promise<"recorded" | "known" | "stale" | "removed" | "noAccount">;
  /** Stores an event that has no effect. */
  ignore(event: { readonly id: string }, now: Date): Promise<void>;
  /** Newest first. */
  list(accountId: string): Promise<StoredSubscription[]>;
  /**
   * Subscriptions that were not over when they were last read, and whose period has ended since. Each is given to one
   * asker, and to the next one an hour later. At most 20.
   */
  takeOverdue(now: Date): Promise<{ readonly id: string; readonly accountId: string }[]>;
}
