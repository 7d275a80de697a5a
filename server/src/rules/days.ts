export const dayMilliseconds = 86_400_000;

/** The day in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
