import type { Webhook } from "@reelscript/contract";
import type { Failure } from "./transcriptions.ts";

type WebhookEvent = NonNullable<Webhook["last"]>["event"];
type WebhookProblem = NonNullable<Webhook["last"]>["problem"];

export interface StoredWebhook {
  readonly id: string;
  readonly url: string;
  readonly createdAt: Date;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  /** Until then the previous secret signs, too. */
  readonly formerSecretUntil: Date | null;
  readonly last: {
    readonly at: Date;
    readonly event: WebhookEvent;
    readonly status: number | null;
    readonly problem: WebhookProblem;
  } | null;
}

/** An event for one endpoint, with its last attempt. */
type StoredDelivery = {
  readonly id: string;
  readonly event: WebhookEvent;
  /** `null` for other events. */
  readonly transcriptionId: string | null;
  /** `null` for other events. */
  readonly batchId: string | null;
  readonly attempts: number;
  /** The last attempt's HTTP status; `null` if there was no answer. */
  readonly status: number | null;
  readonly problem: WebhookProblem;
  readonly createdAt: Date;
  readonly attemptedAt: Date | null;
  /** null if there is none, or if its time is unknown because the endpoint is disabled. */
  readonly nextAttemptAt: Date | null;
};

/** One attempt to send one event to one endpoint. */
export interface WebhookAttempt {
  /** Stays the same in every attempt. */
  readonly deliveryId: string;
  /** 1 for the first. It fences: reports of a process that lost its lease are ignored. */
  readonly attempt: number;
  readonly url: string;
  /** The secrets that sign, the newest first. */
  readonly secrets: readonly Uint8Array[];
  readonly event: WebhookEvent;
  readonly createdAt: Date;
  /** `null` for other events. */
  readonly batch: {
    readonly id: string;
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly canceled: number;
  } | null;
  /** `null` for other events. */
  readonly transcription: {
    readonly id: string;
    readonly reelUrl: string;
    readonly platform: string | null;
    readonly scriptId: string | null;
    /** `null` if nobody asked for one. */
    readonly translation: "inProgress" | "done" | "failed" | null;
    /** Why it failed. */
    readonly failure: { readonly code: Failure["code"]; readonly reason?: Failure["reason"] } | null;
  } | null;
}

/** How an attempt went. */
interface WebhookAnswer {
  readonly status: number | null;
  /** null if it was delivered. */
  readonly problem: WebhookProblem;
}

/** Endpoints of accounts, and their deliveries, which are written in the transaction that ends a transcription. */
export interface Webhooks extends WebhookAttempts {
  /** `full` if the account has the maximum, which holds under any concurrency. */
  create(webhook: {
    readonly accountId: string;
    /** The key that creates it, whose revocation disables it; `null` when a person creates it. */
    readonly keyId: string | null;
    readonly url: string;
    readonly secret: Uint8Array;
    readonly now: Date;
  }): Promise<StoredWebhook | "full" | "noAccount" | "noKey">;
  list(accountId: string): Promise<readonly StoredWebhook[]>;
  remove(accountId: string, id: string): Promise<boolean>;
  /**
   * Makes the events due that a disabled endpoint missed, the oldest first. From then on it belongs to the key or the person
   * that enabled it.
   */
  enable(accountId: string, id: string, keyId: string | null): Promise<StoredWebhook | undefined>;
  /** The former secret also signs until `formerUntil`; an earlier one stops signing. */
  rotate(accountId: string, id: string, secret: Uint8Array, formerUntil: Date): Promise<StoredWebhook | undefined>;
  /** The newest deliveries, the newest first; undefined if the account doesn't have the endpoint. */
  deliveries(accountId: string, id: string): Promise<readonly StoredDelivery[] | undefined>;
  /** Makes a delivery due again, even a successful one; `busy` after many within a minute. */
  redeliver(
    accountId: string,
    id: string,
    deliveryId: string,
    now: Date,
  ): Promise<"waiting" | "busy" | "disabled" | "unknown">;
  /** `busy` while a few tests of the endpoint are waiting. */
  test(accountId: string, id: string, now: Date): Promise<"waiting" | "busy" | "unknown">;
}

/** The part of the port that sends deliveries. */
export interface WebhookAttempts {
  /**
   * Claims due attempts, the longest waiting first and at most one per endpoint. No other process gets an attempt of that
   * endpoint until its result is recorded or the lease expires. An account gets two at a time, or a few more if several
   * processes claim at the same moment; a suspended one gets none.
   */
  take(most: number, leaseSeconds: number, now: Date): Promise<readonly WebhookAttempt[]>;
  /** Records the result of an attempt, and when the next one is due; `undefined` means never. */
  note(
    attempt: WebhookAttempt,
    answer: WebhookAnswer & { /** The endpoint asked for no more deliveries. */ readonly gone: boolean },
    nextAt: Date | undefined,
    now: Date,
  ): Promise<void>;
}

/** Sends signed requests to strangers' addresses. */
export interface WebhookSender {
  /** False for forbidden addresses; names are resolved only when something is sent. */
  accepts(url: URL): boolean;
  /** Takes at most 5 seconds, follows no redirects and reads nothing but the status. Throws only the reason of the signal. */
  send(
    url: URL,
    message: {
      readonly id: string;
      readonly body: string;
      readonly secrets: readonly Uint8Array[];
      readonly now: Date;
    },
    signal: AbortSignal,
  ): Promise<WebhookAnswer>;
}
