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
  /** Takes the place of a search of the same name. No account ever has more than `most`. */
  save(wanted: {
    readonly accountId: string;
    readonly name: string;
    readonly search: object;
    readonly most: number;
    readonly now: Date;
  }): Promise<SavedSearch | "full">;
  remove(accountId: string, id: string): Promise<boolean>;
}

/** Addresses at which an account's search can be downloaded for a while. */
export interface ScriptExports {
  /** An account has at most `most`; its oldest make room. */
  create(wanted: {
    readonly accountId: string;
    readonly token: string;
    readonly search: object;
    readonly expiresAt: Date;
    readonly most: number;
  }): Promise<void>;
  /** The search behind a token; `undefined` when its time is over, and while its account is suspended. */
  open(token: string, now: Date): Promise<{ readonly accountId: string; readonly search: object } | undefined>;
}
