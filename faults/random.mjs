import { createHash } from "node:crypto";

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed) {
  let asked = 0;
  const below = (count) => {
    asked += 1;
    return createHash("sha256").update(`${seed}:${asked}`).digest().readUIntBE(0, 6) % count;
  };
  return {
    pick: (list) => list[below(list.length)],
    shuffled(list) {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]);
    },
  };
}
