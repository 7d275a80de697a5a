import type { Transcript } from "./transcripts.ts";

export interface ScriptRow {
  readonly id: string;
  readonly transcript: Transcript;
  readonly addedAt: Date;
}

/** Where a list goes on: behind the row that was sorted by this value, `null` when unknown, and had this number. */
export interface ListPosition {
  /** Of a date the milliseconds since 1970. */
  readonly sortedBy: number | null;
  readonly number: number;
}

export interface Scripts {
  /**
   * The account's scripts that match all words of `query` (a quoted phrase as a phrase, the last word as a prefix) and the
   * handle, sorted with a stable tie-breaker; unknown views and rates come last. `total` counts all matches, also those
   * before `after`. `next` is where more follow: pages that go on there never repeat or skip a script, whatever is added.
   */
  search(
    accountId: string,
    search: {
      readonly query?: string | undefined;
      /** Handle, compared without case and without a leading @. */
      readonly handle?: string | undefined;
      readonly sort: "views" | "engagement" | "date";
      readonly limit: number;
      /** `next` of the same search. */
      readonly after?: ListPosition | undefined;
    },
  ): Promise<{
    readonly scripts: ScriptRow[];
    readonly total: number;
    readonly next?: ListPosition | undefined;
  }>;
  /** One of the account's scripts. */
  find(accountId: string, scriptId: string): Promise<ScriptRow | undefined>;
  /** The handles of the account's scripts, told apart without case, most scripts first; `total` counts those without one too. */
  handles(accountId: string): Promise<{
    readonly handles: readonly { readonly handle: string; readonly scripts: number }[];
    readonly total: number;
  }>;
  /** Takes a script out of the account's library; the transcript stays in the shared cache. False when there is none. */
  remove(accountId: string, scriptId: string): Promise<boolean>;
}
