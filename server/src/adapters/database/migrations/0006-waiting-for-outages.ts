/** Reels wait in the queue while a platform or a recognizer is away. */
export const waitingForOutages = `
-- resume_at: nobody claims it before. away_since: when what it needs was first away for it.
alter table transcription add column resume_at timestamptz, add column away_since timestamptz;
`;
