import type { BioAnalytics } from "@reelscript/contract";

/** Whether anything is known of that day; days compare as their names do. */
export const wasCounted = ({ countedSince }: Pick<BioAnalytics, "countedSince">, day: string): boolean =>
  countedSince !== null && day >= countedSince;
