/**
 * Which of the five shades above "nothing" a value gets. Each shade has a fifth of the values, so that one huge value doesn't
 * hide the others.
 */
export function heatStep(value: number, sorted: readonly number[]): 1 | 2 | 3 | 4 | 5 {
  const below = sorted.filter((other) => other < value).length;
  if (sorted.length < 2 || sorted[0] === sorted.at(-1)) return 3;
  return Math.min(5, 1 + Math.round((below / (sorted.length - 1)) * 4)) as 1 | 2 | 3 | 4 | 5;
}

/** Hours with fewer reels are drawn pale. */
export const fewestReelsOfHour = 3;
