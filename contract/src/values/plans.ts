/**
 * Prices and limits, for enforcement, documentation and pages alike. `null` means unlimited; the period says how long a limit
 * applies.
 */
export const plans = {
  free: { name: "Free", dollarsPerMonth: 0, transcriptions: 10, posts: 500, period: "lifetime" },
  hobby: { name: "Hobby", dollarsPerMonth: 10, transcriptions: 250, posts: 10_000, period: "month" },
  creator: { name: "Creator", dollarsPerMonth: 29, transcriptions: 1_000, posts: null, period: "month" },
} as const satisfies Record<
  string,
  { name: string; dollarsPerMonth: number; transcriptions: number; posts: number | null; period: "lifetime" | "month" }
>;

/** The price of one transcription when all of a plan's are used: 4¢ each; `undefined` where they are free. */
export const unitPrice = (dollarsPerMonth: number, transcriptions: number): string | undefined =>
  dollarsPerMonth === 0 ? undefined : `${Math.round((dollarsPerMonth / transcriptions) * 1_000) / 10}¢ each`;

/** Maximum of active keys per account. */
export const keysPerAccount = 5;

/** Maximum of webhook endpoints per account. */
export const webhooksPerAccount = 5;

export const shareLinksPerAccount = 100;

export const reportLinksPerAccount = 100;
