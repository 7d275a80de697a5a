import { createHash } from "node:crypto";

/** Choices that look random and are the same for the same seed. */
export interface Random {
  readonly pick: <One>(list: readonly One[]) => One;
  readonly shuffled: <One>(list: readonly One[]) => One[];
}

export function createRandom(seed: string): Random {
  let draws = 0;
  const below = (count: number): number => {
    draws += 1;
    return createHash("sha256").update(`${seed}:${draws}`).digest().readUIntBE(0, 6) % count;
  };
  return {
    pick: <One>(list: readonly One[]): One => list[below(list.length)]!,
    shuffled<One>(list: readonly One[]): One[] {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
