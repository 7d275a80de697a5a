import { createHash } from "node:crypto";

export interface Random {
  pick<One>(list: readonly One[]): One;
  shuffled<One>(list: readonly One[]): One[];
}

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: string): Random {
  let asked = 0;
  const below = (count: number): number => {
    asked += 1;
    return createHash("sha256").update(`${seed}:${asked}`).digest().readUIntBE(0, 6) % count;
  };
  return {
    pick: (list) => list[below(list.length)]!,
    shuffled(list) {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
