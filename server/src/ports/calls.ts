export interface RateBucket {
  readonly name: "default" | "transcribe" | "bioWrite" | "address";
  /** Calls in any rolling hour. */
  readonly limit: number;
}

export interface RateState {
  readonly bucket: RateBucket;
  readonly remaining: number;
  /** Seconds until another call is possible (0 if one is possible now and nothing is used). */
  readonly resetSeconds: number;
}

export interface RateLimits {
  /**
   * Counts one call against every bucket, or against none if one of them is full: one statement, exact in any rolling hour
   * under any concurrency. `taken` says which; the states follow the order of `buckets`. `subject` is the owner of the calls: a
   * key's id or `address:…`.
   */
  take(
    subject: string,
    buckets: readonly RateBucket[],
    now: Date,
  ): Promise<{ readonly taken: boolean; readonly states: readonly RateState[] }>;
  /** Reads the same states without counting a call. */
  peek(subject: string, buckets: readonly RateBucket[], now: Date): Promise<readonly RateState[]>;
}

/** A stored answer: its content, and whether it was 200 or 202. */
export interface IdempotentAnswer {
  readonly output: Record<string, unknown>;
  readonly accepted: boolean;
}

type IdempotencyOutcome =
  /** No other call uses the key; `token` fences, so that a call that took too long can't write any more. */
  | { readonly kind: "begun"; readonly token: string }
  | { readonly kind: "answered"; readonly answer: IdempotentAnswer }
  | { readonly kind: "inFlight" }
  /** The key belongs to another request. */
  | { readonly kind: "otherRequest" };

/** Answers under the idempotency keys of callers, separately for each slot of an account. */
export interface IdempotentAnswers {
  /**
   * Takes the key for a request, identified by the hash `request`, unless it is taken. A response is kept for 24 hours; a call
   * without a response that was started or renewed more than `leaseSeconds` ago counts as abandoned. Exactly one of any number
   * of concurrent calls starts.
   */
  begin(call: {
    readonly subject: { readonly accountId: string; readonly slot: number };
    readonly key: string;
    readonly request: Uint8Array;
    readonly leaseSeconds: number;
    readonly now: Date;
  }): Promise<IdempotencyOutcome>;
  /** Renews started calls that are still being worked on. */
  renew(tokens: readonly string[], now: Date): Promise<void>;
  /** Stores the answer of a started call. False if it lost the key meanwhile. */
  keep(token: string, answer: IdempotentAnswer, now: Date): Promise<boolean>;
  /** Releases the key of a started call that has no answer. */
  release(token: string): Promise<void>;
  /** Releases every key without an answer; only for the one process that owns an embedded database, at its start. */
  releaseAll(): Promise<void>;
}
