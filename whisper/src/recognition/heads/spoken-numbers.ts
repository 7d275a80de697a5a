import * as z from "zod";
import type { HeadWord } from "./head-reading.ts";

const value = z.int().min(0).max(1e12);

export const numbersSchema = z.object({
  /** Words for numbers that are said in one word, such as 0 to 99. */
  words: z.record(z.string().min(1).max(40), value),
  /** Words for what is multiplied, such as hundred. */
  scales: z.record(z.string().min(1).max(40), value),
  /** A word alone with a smaller number than this may mean something else, and stays. */
  leastAlone: value,
});

type Part = { readonly kind: "number" | "scale"; readonly value: number };

/** Writes spoken numbers in digits where all number words in a row are one number for sure. */
export class NumberReader {
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #leastAlone: number;

  constructor({ words, scales, leastAlone }: z.infer<typeof numbersSchema>) {
    this.#leastAlone = leastAlone;
    const entries = (of: Readonly<Record<string, number>>, kind: Part["kind"]) =>
      Object.entries(of).map(([text, each]) => [text.normalize("NFC"), { kind, value: each }] as const);
    this.#parts = new Map([...entries(words, "number"), ...entries(scales, "scale")]);
  }

  join(words: readonly HeadWord[]): HeadWord[] {
    const joined: HeadWord[] = [];
    let run: HeadWord[] = [];
    const close = () => {
      joined.push(...this.#written(run));
      run = [];
    };
    for (const word of words)
      if (this.#parts.has(word.text)) run.push(word);
      else {
        close();
        joined.push(word);
      }
    close();
    return joined;
  }

  #written(run: readonly HeadWord[]): readonly HeadWord[] {
    const [first] = run;
    const last = run.at(-1);
    const number = this.#valueOf(run.map(({ text }) => this.#parts.get(text)!));
    if (!first || !last || number === undefined) return run;
    if (run.length === 1 && (this.#parts.get(first.text)!.kind === "scale" || number < this.#leastAlone)) return run;
    const probability = Math.min(...run.map((word) => word.probability));
    return [{ text: String(number), start: first.start, end: last.end, probability }];
  }

  /** `undefined` when the parts are not one number: scales fall, each has at most one factor below the scale before it. */
  #valueOf(parts: readonly Part[]): number | undefined {
    let sum = 0;
    let factor: number | undefined;
    let lastScale = Infinity;
    for (const part of parts)
      if (part.kind === "number") {
        if (factor !== undefined || part.value >= lastScale) return undefined;
        factor = part.value;
      } else {
        const product = (factor ?? 1) * part.value;
        if (product >= lastScale || product === 0) return undefined;
        sum += product;
        lastScale = part.value;
        factor = undefined;
      }

    return sum + (factor ?? 0);
  }
}
