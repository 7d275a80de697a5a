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

export interface Allowances {
  /** Units charged and units held in the period. */
  read(subject: Subject, period: string): Promise<{ readonly used: number; readonly held: number }>;
}
