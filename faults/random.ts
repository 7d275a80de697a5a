import { createHash } from "node:crypto";

export type Random = ReturnType<typeof createRandom>;

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: string) {
  let asked = 0;
  const below = (count: number): number => {
    asked += 1;
    return createHash("sha256").update(`${seed}:${asked}`).digest().readUIntBE(0, 6) % count;
  };
  return {
    pick: <One>(list: readonly One[]): One => list[below(list.length)]!,
    shuffled<One>(list: readonly One[]): One[] {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
