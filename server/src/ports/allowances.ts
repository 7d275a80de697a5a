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
}

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
  /** What each slot of the account used in the period, of one moment; slots that never held a unit are left out. */
  bySlot(accountId: string, period: string): Promise<UsedBySlot[]>;
  /** The last period that has a beginning, is before this one, and in which something was used. */
  periodBefore(accountId: string, period: string): Promise<string | undefined>;
}
