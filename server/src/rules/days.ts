export const dayMilliseconds = 86_400_000;

/** Of UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
