import type { Webhook } from "@reelscript/contract";

type WebhookEvent = NonNullable<Webhook["last"]>["event"];
type WebhookProblem = NonNullable<Webhook["last"]>["problem"];

export interface StoredWebhook {
  readonly id: string;
  readonly url: string;
  readonly createdAt: Date;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly last: {
    readonly at: Date;
    readonly event: WebhookEvent;
    readonly status: number | null;
    readonly problem: WebhookProblem;
  } | null;
}

/** One attempt to send one event to one endpoint. */
export interface WebhookAttempt {
  /** The same in every attempt. */
  readonly deliveryId: string;
  /** 1 for the first; it fences: what a process that lost its lease reports is not noted. */
  readonly attempt: number;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly event: WebhookEvent;
  readonly createdAt: Date;
  /** Of a test there is none. */
  readonly transcription: { readonly id: string; readonly reelUrl: string; readonly scriptId: string | null } | null;
}

/** How an attempt went. */
interface WebhookAnswer {
  readonly status: number | null;
  /** null when it was delivered. */
  readonly problem: WebhookProblem;
}

/** Endpoints of accounts, and what is to be sent to them: written in the transaction that ends a transcription. */
export interface Webhooks {
  /** `full` when the account has as many as it may have; any number who create one at a time never pass that. */
  create(webhook: {
    readonly accountId: string;
    readonly url: string;
    readonly secret: Uint8Array;
    readonly now: Date;
  }): Promise<StoredWebhook | "full" | "noAccount">;
  list(accountId: string): Promise<readonly StoredWebhook[]>;
  remove(accountId: string, id: string): Promise<boolean>;
  enable(accountId: string, id: string): Promise<StoredWebhook | undefined>;
  /** `busy` while a few tests of the endpoint have not been sent. */
  test(accountId: string, id: string, now: Date): Promise<"waiting" | "busy" | "unknown">;
  /**
   * Attempts that are due, the longest waiting first and at most one of each endpoint, which nobody else gets an attempt of
   * until it is noted or the lease runs out. An account gets two at a time, or a few more when several take at the same
   * moment; a suspended one gets none.
   */
  take(most: number, leaseSeconds: number, now: Date): Promise<readonly WebhookAttempt[]>;
  /** Notes how an attempt went, and when the next one is due; with `undefined` there is none. */
  note(
    attempt: WebhookAttempt,
    answer: WebhookAnswer & { /** The endpoint wants nothing any more. */ readonly gone: boolean },
    nextAt: Date | undefined,
    now: Date,
  ): Promise<void>;
}

/** Sends what is signed to addresses of strangers. */
export interface WebhookSender {
  /** Whether the address may be reached at all; names are looked up only when something is sent. */
  accepts(url: URL): boolean;
  /** Within 5 seconds, without redirects, reading nothing but the status. Throws only the reason of the signal. */
  send(
    url: URL,
    message: { readonly id: string; readonly body: string; readonly secret: Uint8Array; readonly now: Date },
    signal: AbortSignal,
  ): Promise<WebhookAnswer>;
}
