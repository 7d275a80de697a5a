import { mutants } from "./mutants.ts";
import { createRandom } from "../random.ts";
import type { World } from "../open-world.ts";
import { type Fault, runRound } from "../run-round.ts";

/**
 * Runs the rounds of every mutant with it and, first of all, without any. `open` opens a world with a mutant. Returns whether each
 * mutant was caught by a round that holds without it.
 */
export async function runMutants({
  faults,
  open,
  seed,
  write,
}: {
  readonly faults: readonly Fault[];
  readonly open: (mutant: string | undefined) => Promise<World>;
  readonly seed: string;
  readonly write: (text: string) => unknown;
}): Promise<boolean> {
  const faultOf = (name: string): Fault | undefined => faults.find((fault) => fault.name === name);
  const rounds = [...new Set(mutants.flatMap(({ rounds: each }) => each))];
  const missing = rounds.filter((name) => !faultOf(name));
  if (missing.length > 0) throw new Error(`there is no round ${missing.join(", ")}`);
  const runAll = async (mutant: string | undefined, names: readonly string[]) => {
    const world = await open(mutant);
    const results: { readonly name: string; readonly outcome: string; readonly reason: string }[] = [];
    try {
      for (const name of names) {
        const { outcome, reasons } = await runRound(faultOf(name)!, world, createRandom(`${seed} ${name}`));
        results.push({ name, outcome, reason: reasons[0] ?? "" });
      }
    } finally {
      await world.close();
    }
    return results;
  };
  const row = (broken: string, round: string, outcome: string, reason: string) =>
    write(`${broken.padEnd(22)}${round.padEnd(32)}${outcome.padEnd(10)}${reason.slice(0, 200)}\n`);
  let isGood = true;
  row("broken part", "round", "outcome", "");
  for (const { name, outcome, reason } of await runAll(undefined, rounds)) {
    row("none", name, outcome, reason);
    isGood &&= outcome === "held";
  }
  for (const { name: mutant, rounds: names } of mutants) {
    const results = await runAll(mutant, names);
    for (const { name, outcome, reason } of results)
      row(mutant, name, outcome === "broken" ? "caught" : `not caught: ${outcome}`, reason);
    isGood &&= results.some(({ outcome }) => outcome === "broken");
  }
  return isGood;
}
