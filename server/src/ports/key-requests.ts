/** A call that was answered for a key; never what was in it. */
export interface KeyRequest {
  /** When it came. */
  readonly at: Date;
  /** The operation's id. */
  readonly operation: string;
  readonly door: "rest" | "mcp";
  /** HTTP status. */
  readonly status: number;
}

/** The last requests of each key. */
export interface KeyRequests {
  /**
   * Adds requests by the ids of their keys, and forgets all but the last `rememberedRequests` of each key, under any
   * concurrency. Does not wait for the disk. Keys that are not there any more are passed over.
   */
  add(requests: ReadonlyMap<string, readonly KeyRequest[]>): Promise<void>;
  /** Newest first. */
  list(keyId: string): Promise<KeyRequest[]>;
}
