/** Keys of advisory locks; they only have to differ from one another. */
export const locks = { migrate: 7_365_001, startTranscription: 7_365_002 } as const;
