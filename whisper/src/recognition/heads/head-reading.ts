/** A word in seconds of the window. */
export interface HeadWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0 to 1: how near its units are to what was heard regardless of any word, as a geometric mean over them. */
  readonly probability: number;
}

export interface HeadReading {
  readonly words: readonly HeadWord[];
  /**
   * Mean difference per unit between the logarithms of the path of words and of the best path without words; `null` when
   * nothing was heard.
   */
  readonly gap: number | null;
}
