import * as z from "zod";

export const spellingSchema = z.object({
  units: z.array(z.string().max(8)).min(3).max(4096),
  drop: z.array(z.string().min(1).max(8)).max(64),
  replace: z.record(z.string().min(1).max(8), z.string().min(1).max(8)),
});

/** The two units that are no letters. */
export const blankUnit = 0;
export const borderUnit = 1;

/** Spells words in the units that a head hears: letters, without what can't be heard or isn't worth being told apart. */
export class Spelling {
  readonly units: readonly string[];
  readonly #unitByText: ReadonlyMap<string, number>;
  readonly #replaced: ReadonlyMap<string, string>;
  readonly #dropped: ReadonlySet<string>;
  readonly #longest: number;

  constructor({ units, drop, replace }: z.infer<typeof spellingSchema>) {
    this.units = units;
    this.#unitByText = new Map(
      units.flatMap((unit, index) => (index > borderUnit ? [[unit.normalize("NFD"), index]] : [])),
    );
    this.#replaced = new Map(Object.entries(replace).map(([from, to]) => [from.normalize("NFD"), to.normalize("NFD")]));
    this.#dropped = new Set(drop.map((one) => one.normalize("NFD")));
    const all = [...this.#unitByText.keys(), ...this.#replaced.keys(), ...this.#dropped];
    this.#longest = Math.max(...all.map((text) => text.length));
  }

  /** Indices of a word's units; `undefined` for a word that has letters of another script, or none. */
  unitsOf(word: string): number[] | undefined {
    const spelled = this.#spell(word.normalize("NFD"), true);
    return spelled === undefined || spelled.length === 0 ? undefined : spelled;
  }

  #spell(text: string, mayReplace: boolean): number[] | undefined {
    const units: number[] = [];
    for (let at = 0; at < text.length;) {
      const step = this.#stepAt(text, at, mayReplace);
      if (!step) return undefined;
      units.push(...step.units);
      at += step.length;
    }
    return units;
  }

  #stepAt(text: string, at: number, mayReplace: boolean): { units: readonly number[]; length: number } | undefined {
    for (let length = Math.min(this.#longest, text.length - at); length > 0; length -= 1) {
      const piece = text.slice(at, at + length);
      const replaced = mayReplace ? this.#replaced.get(piece) : undefined;
      // A replacement is spelled as it stands and never replaced again.
      const units = replaced === undefined ? this.#unitFor(piece) : this.#spell(replaced, false);
      if (units) return { units, length };
    }
    return undefined;
  }

  #unitFor(piece: string): readonly number[] | undefined {
    const unit = this.#unitByText.get(piece);
    if (unit !== undefined) return [unit];
    return this.#dropped.has(piece) ? [] : undefined;
  }
}
