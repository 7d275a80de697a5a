/** Which of the five shades above "nothing" a value gets: equal steps from 0 to the highest value. */
export function heatStep(value: number, highest: number): 1 | 2 | 3 | 4 | 5 {
  if (highest <= 0) return 1;
  return Math.min(5, Math.max(1, Math.ceil((value / highest) * 5))) as 1 | 2 | 3 | 4 | 5;
}
