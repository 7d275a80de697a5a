const gels = ["g1", "g2", "g3", "g4", "g5", "g6"] as const;

/** The colours of a cue or an avatar, always the same for the same id. */
export function gelOf(id: string): (typeof gels)[number] {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619) >>> 0;
  return gels[((hash ^ (hash >>> 15)) >>> 0) % gels.length]!; // safe: the rest is smaller than the length
}
