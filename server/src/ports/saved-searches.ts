export interface SavedSearch {
  readonly id: string;
  readonly name: string;
  /** The input of `searchMyScripts`, as it was when it was saved. */
  readonly search: object;
  readonly createdAt: Date;
}

export interface SavedSearches {
  /** In alphabetical order. */
  list(accountId: string): Promise<readonly SavedSearch[]>;
  /** Replaces a search of the same name. No account ever has more than `most`. */
  save(request: {
    readonly accountId: string;
    readonly name: string;
    readonly search: object;
    readonly most: number;
    readonly now: Date;
  }): Promise<SavedSearch | "full">;
  remove(accountId: string, id: string): Promise<boolean>;
}

/** Temporary addresses from which an account's search can be downloaded. */
export interface ScriptExports {
  /** An account has at most `most`; the oldest ones are dropped. */
  create(request: {
    readonly accountId: string;
    readonly token: string;
    readonly search: object;
    readonly expiresAt: Date;
    readonly most: number;
  }): Promise<void>;
  /** The search of a token; `undefined` once it has expired, and while its account is suspended. */
  open(token: string, now: Date): Promise<{ readonly accountId: string; readonly search: object } | undefined>;
}
