/** Prices and limits, for enforcement, documentation and the pages alike. `null` means unlimited; the period is what a limit holds for. */
export const plans = {
  free: { name: "Free", dollarsPerMonth: 0, transcriptions: 10, posts: 500, period: "lifetime" },
  hobby: { name: "Hobby", dollarsPerMonth: 10, transcriptions: 250, posts: 10_000, period: "month" },
  creator: { name: "Creator", dollarsPerMonth: 29, transcriptions: 1_000, posts: null, period: "month" },
} as const satisfies Record<
  string,
  { name: string; dollarsPerMonth: number; transcriptions: number; posts: number | null; period: "lifetime" | "month" }
>;

/** Live keys an account may hold. */
export const keysPerAccount = 5;

/** Endpoints an account may have notified. */
export const webhooksPerAccount = 5;

export const shareLinksPerAccount = 100;

export const reportLinksPerAccount = 100;
