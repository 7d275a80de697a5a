import type { HeadManifest } from "./head-folder.ts";
import { blankUnit, borderUnit } from "./spelling.ts";
import { sentenceStart, type WordGrams } from "./word-grams.ts";
import type { WordTree } from "./word-tree.ts";

type SearchSettings = HeadManifest["search"];

/** A word of a path. */
export interface PathWord {
  readonly word: number;
  /** Frames of its first unit and of its last one. */
  readonly first: number;
  readonly last: number;
  /** The frame after its last blank. */
  readonly until: number;
  /** Natural logarithm of what was heard along it, from `first` to before `until`. */
  readonly acoustic: number;
}

interface FoundPath {
  readonly words: readonly PathWord[];
  /** Natural logarithm of what was heard along the path, without what texts say. */
  readonly acoustic: number;
}

/** The last word of a path, and the one before it. */
interface Link extends PathWord {
  readonly before: Link | undefined;
}

/** The best way to hear what was heard so far at a node of the tree. */
interface Token {
  readonly node: number;
  /** Stands for the words before. */
  readonly context: number;
  /** The last frame was blank: only then may the same unit begin again. */
  readonly isBlank: boolean;
  score: number;
  /** The part of `score` that was heard. */
  acoustic: number;
  /** `acoustic` where the word at hand began. */
  acousticBefore: number;
  first: number;
  last: number;
  words: Link | undefined;
}

/** Tokens of one frame: the best for each node, context and last frame. */
class TokenSet {
  readonly #tokens = new Map<number, Token>();
  readonly #beam: number;
  readonly #contexts: number;
  best = -Infinity;

  constructor(beam: number, contexts: number) {
    this.#beam = beam;
    this.#contexts = contexts;
  }

  isHopeless(score: number): boolean {
    return score < this.best - this.#beam;
  }

  /** Keeps a token that is better than the one at its node. */
  offer(
    node: number,
    context: number,
    isBlank: boolean,
    score: number,
    acoustic: number,
    acousticBefore: number,
    first: number,
    last: number,
    words: Link | undefined,
  ): void {
    if (this.isHopeless(score)) return;
    if (score > this.best) this.best = score;
    const key = (node * this.#contexts + context) * 2 + (isBlank ? 1 : 0);
    const token = this.#tokens.get(key);
    if (token === undefined)
      this.#tokens.set(key, { node, context, isBlank, score, acoustic, acousticBefore, first, last, words });
    else if (token.score < score) {
      token.score = score;
      token.acoustic = acoustic;
      token.acousticBefore = acousticBefore;
      token.first = first;
      token.last = last;
      token.words = words;
    }
  }

  /** The best first, at most `most`. */
  ranked(most: number): Token[] {
    const ranked = [...this.#tokens.values()].filter(({ score }) => !this.isHopeless(score));
    ranked.sort((one, other) => other.score - one.score);
    if (ranked.length > most) ranked.length = most;
    return ranked;
  }
}

/**
 * Looks for the words that are likeliest by what a head heard and by what texts say follows each other: tokens pass through the
 * tree of words frame by frame, and the best at each node lives on. A unit lasts while its frames repeat; the same unit
 * twice needs a blank frame between; words follow each other by the border unit or, dearer, without it.
 */
export class PathSearch {
  readonly #tree: WordTree;
  readonly #grams: WordGrams;
  readonly #settings: SearchSettings;
  #tokens: TokenSet;
  #frame = 0;
  #wasSurelyBlank = false;

  constructor(tree: WordTree, grams: WordGrams, settings: SearchSettings) {
    this.#tree = tree;
    this.#grams = grams;
    this.#settings = settings;
    this.#tokens = this.#emptySet();
    this.#tokens.offer(0, sentenceStart, true, 0, 0, 0, 0, 0, undefined);
  }

  #emptySet(): TokenSet {
    return new TokenSet(this.#settings.beam, this.#grams.contexts);
  }

  /** `row`: natural logarithms of the units' probabilities in the next frame. */
  step(row: Float32Array): void {
    const frame = this.#frame;
    this.#frame += 1;
    const isSurelyBlank = row[blankUnit]! > this.#settings.sureBlank;
    const isSkipped = isSurelyBlank && this.#wasSurelyBlank;
    this.#wasSurelyBlank = isSurelyBlank;
    if (isSkipped) return;
    const next = this.#emptySet();
    for (const token of this.#tokens.ranked(this.#settings.tokens)) this.#pass(token, row, frame, next);
    this.#tokens = next;
  }

  #pass(token: Token, row: Float32Array, frame: number, next: TokenSet): void {
    const { node, context, isBlank, score, acoustic, acousticBefore, first, last, words } = token;
    const blank = row[blankUnit]!;
    next.offer(node, context, true, score + blank, acoustic + blank, acousticBefore, first, last, words);
    const unit = node === 0 ? borderUnit : this.#tree.unit[node]!;
    if (!isBlank) {
      const same = row[unit]!;
      const until = node === 0 ? last : frame;
      next.offer(node, context, false, score + same, acoustic + same, acousticBefore, first, until, words);
    }
    this.#descend(token, token, isBlank ? -1 : unit, row, frame, next);
    this.#endWords(token, unit, row, frame, next);
  }

  /** Begins each unit that may follow at a node. `lasting`: the unit that would only last, because no blank came between. */
  #descend(
    { node }: Pick<Token, "node">,
    { context, score, acoustic, acousticBefore, first, words }: Omit<Token, "node" | "isBlank" | "last">,
    lasting: number,
    row: Float32Array,
    frame: number,
    next: TokenSet,
  ): void {
    const { firstChild, lookAhead, unit } = this.#tree;
    const { wordWeight } = this.#settings;
    const here = wordWeight * lookAhead[node]!;
    for (let child = firstChild[node]!; child < firstChild[node + 1]!; child += 1) {
      const hoped = score + wordWeight * lookAhead[child]! - here;
      // The children that follow have rarer words.
      if (next.isHopeless(hoped)) return;
      const begun = unit[child]!;
      if (begun === lasting) continue;
      const logProbability = row[begun]!;
      const before = node === 0 ? acoustic : acousticBefore;
      const from = node === 0 ? frame : first;
      next.offer(child, context, false, hoped + logProbability, acoustic + logProbability, before, from, frame, words);
    }
  }

  #endWords(token: Token, unit: number, row: Float32Array, frame: number, next: TokenSet): void {
    const { firstWord, words } = this.#tree;
    const { joinReward } = this.#settings;
    const { node, acoustic, isBlank } = token;
    const border = row[borderUnit]!;
    for (let index = firstWord[node]!; index < firstWord[node + 1]!; index += 1) {
      const word = words[index]!;
      const score = this.#scoreOfEnd(token, word);
      if (next.isHopeless(score)) continue;
      const context = this.#grams.after(token.context, word);
      const link = linkOf(token, word, frame);
      next.offer(0, context, false, score + border, acoustic + border, acoustic, frame, frame, link);
      const joined = {
        context,
        score: score + joinReward,
        acoustic: acoustic + joinReward,
        acousticBefore: acoustic,
        first: frame,
        words: link,
      };
      this.#descend({ node: 0 }, joined, isBlank ? -1 : unit, row, frame, next);
    }
  }

  /** The score of a path whose last word is known, in place of the likeliest one that it might have been. */
  #scoreOfEnd({ node, context, score }: Token, word: number): number {
    const { wordWeight, wordReward } = this.#settings;
    const certain = this.#grams.logProbability(context, word) - this.#tree.lookAhead[node]!;
    return score + wordWeight * certain + wordReward;
  }

  /** The words so far, of the best path; its last word may be half heard and is left out. */
  sofar(): readonly PathWord[] {
    const [best] = this.#tokens.ranked(1);
    return best ? wordsOf(best.words) : [];
  }

  /** The best path when nothing follows; `undefined` when no word fits. */
  finish(): FoundPath | undefined {
    const { wordWeight } = this.#settings;
    const { firstWord, words } = this.#tree;
    const grams = this.#grams;
    let best = -Infinity;
    let path: { readonly last: Link | undefined; readonly acoustic: number } | undefined;
    for (const token of this.#tokens.ranked(this.#settings.tokens)) {
      const { node, context, acoustic } = token;
      if (node === 0) {
        const score = token.score + wordWeight * grams.logProbability(context, grams.endOfSentence);
        if (score > best) {
          best = score;
          path = { last: token.words, acoustic };
        }
      }
      for (let index = firstWord[node]!; index < firstWord[node + 1]!; index += 1) {
        const word = words[index]!;
        const after = grams.logProbability(grams.after(context, word), grams.endOfSentence);
        const score = this.#scoreOfEnd(token, word) + wordWeight * after;
        if (score > best) {
          best = score;
          path = { last: linkOf(token, word, this.#frame), acoustic };
        }
      }
    }
    return path && { words: wordsOf(path.last), acoustic: path.acoustic };
  }
}

const linkOf = ({ first, last, acoustic, acousticBefore, words }: Token, word: number, until: number): Link => ({
  word,
  first,
  last,
  until,
  acoustic: acoustic - acousticBefore,
  before: words,
});

function wordsOf(last: Link | undefined): PathWord[] {
  const words: PathWord[] = [];
  for (let link = last; link; link = link.before)
    words.push({ word: link.word, first: link.first, last: link.last, until: link.until, acoustic: link.acoustic });
  return words.reverse();
}
