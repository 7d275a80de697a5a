export interface Account {
  readonly name: string;
  readonly id: string;
  readonly key: string;
}
export interface KnownReel {
  readonly code: string;
  readonly mediaId: string;
  readonly url: string;
}

export type Ledger = ReturnType<typeof createLedger>;

/** Notes the transcripts that callers received, which must never be lost again. */
export function createLedger() {
  /** With the ids of the accounts that received them. */
  const transcripts = new Map<string, { reel: KnownReel; transcript: string; holders: Set<string> }>();
  const problems: string[] = [];
  return {
    /** Notes a transcript that somebody received. A reel that has two of them is a problem. */
    acknowledge(reel: KnownReel, account: Account, transcript: string): void {
      const known = transcripts.get(reel.mediaId);
      if (known && known.transcript !== transcript)
        problems.push(`${reel.code} was given as two different transcripts`);
      const holders = known?.holders ?? new Set<string>();
      holders.add(account.id);
      transcripts.set(reel.mediaId, { reel, transcript, holders });
    },
    transcripts: () => [...transcripts.values()],
    takeProblems: () => problems.splice(0),
  };
}
