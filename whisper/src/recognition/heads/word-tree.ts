import type { Spelling } from "./spelling.ts";

/** Words that begin alike: `from` to before `to` in the order of their spelling, with the likeliest of them. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly best: number;
  readonly unit: number;
}

/**
 * Words as a tree of their units. Nodes are numbers, the root is 0; children of a node follow each other, the one with the
 * likeliest word first.
 */
export class WordTree {
  /** Children of node n are the nodes from `firstChild[n]` to before `firstChild[n + 1]`. */
  readonly firstChild: Uint32Array;
  /** The unit that leads to a node. */
  readonly unit: Uint16Array;
  /** Natural logarithm of the probability of the likeliest word below a node; 0 at the root, where all is open. */
  readonly lookAhead: Float32Array;
  /** Words that end in node n are `words` from `firstWord[n]` to before `firstWord[n + 1]`. */
  readonly firstWord: Uint32Array;
  readonly words: Uint32Array;

  /** `logProbabilityOf`: of a word by itself. Words that can't be spelled are left out. */
  constructor(words: readonly string[], spelling: Spelling, logProbabilityOf: (word: number) => number) {
    // A text of one character a unit sorts so that words that begin alike stand together.
    const spelled = words
      .flatMap((text, word) => {
        const units = spelling.unitsOf(text);
        return units ? [{ word, units: String.fromCharCode(...units) }] : [];
      })
      .toSorted((one, other) => (one.units < other.units ? -1 : one.units > other.units ? 1 : one.word - other.word));
    const groupsOf = (from: number, to: number, depth: number): Group[] => {
      const groups: Group[] = [];
      for (let at = from; at < to;) {
        const unit = spelled[at]!.units.charCodeAt(depth);
        const start = at;
        let best = -Infinity;
        for (; at < to && spelled[at]!.units.charCodeAt(depth) === unit; at += 1)
          best = Math.max(best, logProbabilityOf(spelled[at]!.word));
        groups.push({ from: start, to: at, best, unit });
      }
      return groups.toSorted((one, other) => other.best - one.best);
    };
    const firstChild: number[] = [];
    const unit: number[] = [];
    const lookAhead: number[] = [];
    const firstWord: number[] = [];
    const ends: number[] = [];
    let level: readonly Group[] = [{ from: 0, to: spelled.length, best: 0, unit: 0 }];
    let count = 1;
    for (let depth = 0; level.length > 0; depth += 1) {
      const next: Group[] = [];
      for (const group of level) {
        unit.push(group.unit);
        lookAhead.push(group.best);
        firstWord.push(ends.length);
        let { from } = group;
        // The shortest words of a group stand first.
        for (; from < group.to && spelled[from]!.units.length === depth; from += 1) ends.push(spelled[from]!.word);
        const children = groupsOf(from, group.to, depth);
        firstChild.push(count);
        count += children.length;
        next.push(...children);
      }
      level = next;
    }
    this.firstChild = Uint32Array.from([...firstChild, count]);
    this.unit = Uint16Array.from(unit);
    this.lookAhead = Float32Array.from(lookAhead);
    this.firstWord = Uint32Array.from([...firstWord, ends.length]);
    this.words = Uint32Array.from(ends);
  }
}
