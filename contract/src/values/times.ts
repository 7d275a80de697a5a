export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** Minutes and seconds, as players show them: 0:41. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const dayMilliseconds = 86_400_000;

/** The day in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
