const gels = ["gel-1", "gel-2", "gel-3", "gel-4", "gel-5", "gel-6"] as const;

/** The colors of a cue or an avatar, always the same for the same id. */
export function gelOf(id: string): (typeof gels)[number] {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619) >>> 0;
  return gels[((hash ^ (hash >>> 15)) >>> 0) % gels.length]!; // safe: the rest is smaller than the length
}
