interface CorrectableSegment {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  /** As the script has it; empty when it was removed. */
  readonly text: string;
  /** As it was recognized. */
  readonly original: string;
}

export interface Correctable {
  /** A transcript of unknown times is one segment; one in which nothing is said has none. */
  readonly segments: readonly CorrectableSegment[];
  /** `null` when nothing is corrected. */
  readonly correctedAt: Date | null;
  /** Whether the shared transcript is another than the one that was corrected. */
  readonly outdated: boolean;
}

/** What an account made of the transcripts of its own scripts; the shared ones stay as they are. */
export interface Corrections {
  find(accountId: string, scriptId: string): Promise<Correctable | undefined>;
  /**
   * Gives a script the texts that `decide` answers, one for each segment, or the shared transcript again. Nobody else changes
   * the script meanwhile; what `decide` throws leaves it as it was. The correction goes with the script. `undefined` when the
   * account has no such script.
   */
  change(
    accountId: string,
    scriptId: string,
    decide: (now: Correctable) => readonly string[] | "remove",
    now: Date,
  ): Promise<Correctable | undefined>;
}
