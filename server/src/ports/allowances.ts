/** Whose use is counted: a slot of an account. Slot 0 is the dashboard's and the extension's. */
interface Subject {
  readonly accountId: string;
  readonly slot: number;
}

/** What a caller may use now. */
export interface Allowance {
  readonly subject: Subject;
  /** Names the period in which units are counted: `lifetime`, or the period's first moment. */
  readonly period: string;
  readonly limit: number;
  /** `null` when the allowance never resets. */
  readonly resetsAt: Date | null;
}

export interface UsedBySlot {
  readonly slot: number;
  /** Units charged in the period. */
  readonly used: number;
  /** Units charged, by the day in UTC on which they were held, `2026-11-01`. They may be fewer than `used`, never more. */
  readonly byDay: ReadonlyMap<string, number>;
  /** When the first and the last of these units were held; `null` without any. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
  /** What each slot up to the last one used in the period, of one moment; slots that never held a unit are left out. */
  bySlot(accountId: string, period: string, lastSlot: number): Promise<UsedBySlot[]>;
  /**
   * The period before this one in which one of the slots used something: of those that have a beginning the last, and
   * only without any of these the one that never resets.
   */
  periodBefore(accountId: string, period: string, lastSlot: number): Promise<string | undefined>;
  /**
   * When the period ended that a payment began at this moment: with the next payment for the same subscription, else when
   * that was over. The end may be ahead. Undefined when no payment began a period then.
   */
  endOfPaidPeriod(accountId: string, startsAt: Date): Promise<Date | undefined>;
}
