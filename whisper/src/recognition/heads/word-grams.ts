import { unavailable } from "../../whisper-error.ts";

const magic = 0x4d4c5352;
const version = 1;
const headerNumbers = 5;
const costsPerNat = 1000;

/** The context before the first word of a sentence. */
export const sentenceStart = 1;

/**
 * How likely words follow each other, with back-off: a context is the word before, or the two words before, as far as they
 * were seen in texts. 0 is a context that says nothing. All logarithms are natural.
 */
export class WordGrams {
  /** Words; the number after the last one means the end of a sentence. */
  readonly size: number;
  readonly contexts: number;
  readonly #start: Uint32Array;
  readonly #backOffContext: Uint32Array;
  readonly #firstNext: Uint32Array;
  readonly #word: Uint32Array;
  readonly #next: Uint32Array;
  readonly #firstCost: Uint16Array;
  readonly #backOffCost: Uint16Array;
  readonly #cost: Uint16Array;

  /** `bytes`: the file that `whisper/models/heads/README.md` describes. Throws `WhisperError` "unavailable". */
  constructor(bytes: Uint8Array) {
    // A view of a Buffer may begin anywhere in a larger one; numbers of four bytes must not.
    const copy = new Uint8Array(bytes);
    let at = 0;
    const longs = (count: number): Uint32Array => {
      const part = new Uint32Array(copy.buffer, at, count);
      at += part.byteLength;
      return part;
    };
    const shorts = (count: number): Uint16Array => {
      const part = new Uint16Array(copy.buffer, at, count);
      at += part.byteLength;
      return part;
    };
    const [sign, revision, words = 0, contexts = 0, entries = 0] =
      copy.length < headerNumbers * 4 ? [] : longs(headerNumbers);
    const length =
      headerNumbers * 4 + 4 * (contexts + 1 + contexts + words + 2 * entries) + 2 * (words + 1 + contexts + entries);
    if (sign !== magic || revision !== version || length !== copy.length || contexts < 2)
      throw unavailable("A head's file of word pairs is damaged or of another version.");
    this.size = words;
    this.contexts = contexts;
    this.#start = longs(contexts + 1);
    this.#backOffContext = longs(contexts);
    this.#firstNext = longs(words);
    this.#word = longs(entries);
    this.#next = longs(entries);
    this.#firstCost = shorts(words + 1);
    this.#backOffCost = shorts(contexts);
    this.#cost = shorts(entries);
    this.#check(entries);
  }

  /** Every number leads somewhere, and backing off ends. */
  #check(entries: number): void {
    const rises =
      this.#start.every((from, index) => from >= (this.#start[index - 1] ?? 0)) && this.#start.at(-1) === entries;
    const leads = [this.#firstNext, this.#next].every((list) => list.every((context) => context < this.contexts));
    const wordsExist = this.#word.every((word) => word <= this.size);
    const ends = this.#backOffContext.every((context, index) => context === 0 || context < index);
    if (!rises || !leads || !wordsExist || !ends) throw unavailable("A head's file of word pairs leads nowhere.");
  }

  get endOfSentence(): number {
    return this.size;
  }

  /** The natural logarithm of a word's probability by itself. */
  logProbabilityOf(word: number): number {
    return -this.#firstCost[word]! / costsPerNat;
  }

  logProbability(context: number, word: number): number {
    let cost = 0;
    for (let from = context; from !== 0; from = this.#backOffContext[from]!) {
      const entry = this.#find(from, word);
      if (entry !== -1) return -(cost + this.#cost[entry]!) / costsPerNat;
      cost += this.#backOffCost[from]!;
    }
    return -(cost + this.#firstCost[word]!) / costsPerNat;
  }

  /** The context after a word. */
  after(context: number, word: number): number {
    for (let from = context; from !== 0; from = this.#backOffContext[from]!) {
      const entry = this.#find(from, word);
      if (entry !== -1) return this.#next[entry]!;
    }
    return this.#firstNext[word]!;
  }

  #find(context: number, word: number): number {
    let low = this.#start[context]!;
    let high = this.#start[context + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#word[middle]! < word) low = middle + 1;
      else high = middle;
    }
    return low < this.#start[context + 1]! && this.#word[low] === word ? low : -1;
  }
}
