/** What callers were given, which must never be lost again. */
export function createLedger() {
  const transcripts = new Map();
  const problems = [];
  return {
    /** Notes a transcript that somebody received. A reel that has two of them is a problem. */
    acknowledge(reel, account, { transcript, language }) {
      const known = transcripts.get(reel.mediaId);
      if (known && known.transcript !== transcript)
        problems.push(`${reel.code} was given as two different transcripts`);
      const holders = known?.holders ?? new Set();
      holders.add(account.id);
      transcripts.set(reel.mediaId, { ...known, reel, transcript, language, holders });
    },
    transcripts: () => [...transcripts.values()],
    takeProblems: () => problems.splice(0),
  };
}
