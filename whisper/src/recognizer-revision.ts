/** Rises with each change that makes transcripts better or different, so that older ones can be transcribed again. */
export const recognizerRevision = 5;
