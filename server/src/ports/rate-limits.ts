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
  /** The same states without counting. */
  peek(subject: string, buckets: readonly RateBucket[], now: Date): Promise<readonly RateState[]>;
}
