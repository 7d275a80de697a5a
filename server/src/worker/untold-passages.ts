import type { NumberedPassage, Passage } from "../ports.ts";

/** What was recognized and not yet told, in order. What could not be told stays, with its number. */
export interface UntoldPassages {
  readonly add: (passage: Passage) => void;
  readonly untold: () => readonly NumberedPassage[];
  readonly told: (passages: readonly NumberedPassage[]) => void;
}

export function createUntoldPassages(): UntoldPassages {
  let waiting: readonly NumberedPassage[] = [];
  let last = 0;
  return {
    add({ language, text }) {
      waiting = [...waiting, { number: (last += 1), language, text }];
    },
    untold: () => waiting,
    told: (passages) => void (waiting = waiting.slice(passages.length)),
  };
}
