export interface RateBucket {
  readonly name: "default" | "transcribe" | "bioWrite" | "address";
  /** Calls in any rolling hour. */
  readonly limit: number;
}

export interface RateState {
  readonly bucket: RateBucket;
  readonly remaining: number;
  /** Seconds until one more call is free again (0 when one is free now and nothing is used). */
  readonly resetSeconds: number;
}

export interface RateLimits {
  /**
   * Counts one call against every bucket, or against none when one of them is full: one statement, exact in any rolling
   * hour under any concurrency. `taken` says which; the states follow the order of `buckets`.
   * `subject` is whose calls are counted: a key's id or `address:…`.
   */
  take(
    subject: string,
    buckets: readonly RateBucket[],
    now: Date,
  ): Promise<{ readonly taken: boolean; readonly states: readonly RateState[] }>;
  /** Reads the same states without counting a call. */
  peek(subject: string, buckets: readonly RateBucket[], now: Date): Promise<readonly RateState[]>;
}

/** An answer as it went out: what came, and whether it was 200 or 202. */
export interface IdempotentAnswer {
  readonly output: Record<string, unknown>;
  readonly accepted: boolean;
}

type IdempotencyOutcome =
  /** No other call works on it; `token` fences, so that a call that took too long can't write any more. */
  | { readonly kind: "begun"; readonly token: string }
  | { readonly kind: "answered"; readonly answer: IdempotentAnswer }
  | { readonly kind: "inFlight" }
  /** The key belongs to another request. */
  | { readonly kind: "otherRequest" };

/** Answers under the keys that callers gave with their requests, of each slot of an account for itself. */
export interface IdempotentAnswers {
  /**
   * Takes the key for a request, identified by the hash `request`, unless it is taken. A response is kept for 24 hours; a call
   * that was begun or renewed more than `leaseSeconds` ago and has no response is given up. Exactly one of any number of
   * racers begins.
   */
  begin(call: {
    readonly subject: { readonly accountId: string; readonly slot: number };
    readonly key: string;
    readonly request: Uint8Array;
    readonly leaseSeconds: number;
    readonly now: Date;
  }): Promise<IdempotencyOutcome>;
  /** Says of calls that were begun that somebody still works on them. */
  renew(tokens: readonly string[], now: Date): Promise<void>;
  /** Keeps the answer of a call that was begun. False when the key was lost meanwhile. */
  keep(token: string, answer: IdempotentAnswer, now: Date): Promise<boolean>;
  /** Gives the key of a call that was begun and has no answer free. */
  release(token: string): Promise<void>;
  /** Gives every key without an answer free; only for the one process that owns an embedded database, at its start. */
  releaseAll(): Promise<void>;
}
