/** A word in a line of the transcript. */
export interface PlacedWord {
  /** Positions of its first character and after its last. */
  readonly start: number;
  readonly end: number;
  /** The second at which it is said. */
  readonly at: number;
  readonly isUnsure: boolean;
}
