/** Keys of advisory locks; they only have to differ from one another. */
export const locks = {
  migrate: 7_365_001,
  startTranscription: 7_365_002,
  claimBioHandle: 7_365_009,
  foldBio: 7_365_010,
} as const;
