const gels = ["#4a2147", "#10424a", "#7d2f17", "#20316a", "#35451b", "#5d450b"] as const;

/** The ground of a cue, always the same for the same reel. */
export function gelOf(id: string): string {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return gels[((hash ^ (hash >>> 15)) >>> 0) % gels.length] ?? gels[0];
}
