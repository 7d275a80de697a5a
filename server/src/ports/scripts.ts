import type { Transcript } from "./transcripts.ts";

export interface ScriptRow {
  readonly id: string;
  readonly transcript: Transcript;
  readonly addedAt: Date;
}

export interface Scripts {
  /**
   * The account's scripts that match all words of `query` (a quoted phrase as a phrase, the last word as a prefix) and the
   * handle, sorted with a stable tie-breaker; unknown views and rates come last. `total` counts all matches.
   */
  search(
    accountId: string,
    search: {
      readonly query?: string | undefined;
      /** Handle, compared without case and without a leading @. */
      readonly handle?: string | undefined;
      readonly sort: "views" | "engagement" | "date";
      readonly limit: number;
    },
  ): Promise<{ readonly scripts: ScriptRow[]; readonly total: number }>;
}
