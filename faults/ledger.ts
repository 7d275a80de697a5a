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

/** A transcript that callers received. */
interface ReceivedTranscript {
  readonly reel: KnownReel;
  readonly transcript: string;
  /** Ids of the accounts that received it. */
  readonly holders: ReadonlySet<string>;
}

/** Records the transcripts that callers received, none of which may ever be lost. */
export interface Ledger {
  /** Records a received transcript. Two different ones of a reel are a problem. */
  acknowledge(reel: KnownReel, account: Account, transcript: string): void;
  transcripts(): ReceivedTranscript[];
  /** The problems since the last call. */
  takeProblems(): string[];
}

export function createLedger(): Ledger {
  const transcripts = new Map<string, { reel: KnownReel; transcript: string; holders: Set<string> }>();
  const problems: string[] = [];
  return {
    acknowledge(reel, account, transcript) {
      const entry = transcripts.get(reel.mediaId);
      if (entry && entry.transcript !== transcript)
        problems.push(`${reel.code} was given as two different transcripts`);
      const holders = entry?.holders ?? new Set<string>();
      holders.add(account.id);
      transcripts.set(reel.mediaId, { reel, transcript, holders });
    },
    transcripts: () => [...transcripts.values()],
    takeProblems: () => problems.splice(0),
  };
}
