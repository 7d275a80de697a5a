/** What can be corrected of a transcript, and what it can become. */
export const correctionLimits = { characters: 100_000, segments: 10_000 } as const;
