import type { Tokenizer } from "./tokenizer.ts";

/** Words by their tokens: each branch from the root to an end is one of them. */
export interface SpellingTree {
  readonly children: ReadonlyMap<number, SpellingTree>;
  /** A word ends here. */
  readonly isEnd: boolean;
}

interface GrowingTree extends SpellingTree {
  readonly children: Map<number, GrowingTree>;
  isEnd: boolean;
}

/** More words would push each other's readings out of a search. */
const mostWords = 40;
const letters = /^[\p{L}\p{M}]{3,40}$/u;

/**
 * A tree of the first 40 words that the vocabulary doesn't have as one token: those that it has are everyday words, or names that
 * the model writes anyway. `undefined` where none is left. Words of other characters than letters are passed over.
 */
export function spellingTree(words: readonly string[], tokenizer: Tokenizer): SpellingTree | undefined {
  const spellings = new Map<string, readonly number[]>();
  for (const word of words) {
    if (spellings.size === mostWords) break;
    if (!letters.test(word)) continue;
    const tokens = tokenizer.encode(` ${word}`);
    const isEveryday = tokens.length < 2 || tokenizer.encode(` ${word.toLowerCase()}`).length < 2;
    if (!isEveryday) spellings.set(tokens.join(" "), tokens);
  }
  if (spellings.size === 0) return undefined;
  const root: GrowingTree = { children: new Map(), isEnd: false };
  for (const tokens of spellings.values()) {
    let node = root;
    for (const token of tokens) {
      const child = node.children.get(token) ?? { children: new Map<number, GrowingTree>(), isEnd: false };
      node.children.set(token, child);
      node = child;
    }
    node.isEnd = true;
  }
  return root;
}
