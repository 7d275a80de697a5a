interface Timed {
  readonly start: number;
}

export type Piece<Segment, Gap> =
  | {
      readonly kind: "segment";
      readonly segment: Segment;
      /** Its number among the segments. */ readonly index: number;
    }
  | { readonly kind: "gap"; readonly gap: Gap };

/** What is said and what couldn't be made out, in the order of time; a gap follows the segment in which it begins. */
export function scriptPieces<Segment extends Timed, Gap extends Timed>(
  segments: readonly Segment[],
  gaps: readonly Gap[],
): Piece<Segment, Gap>[] {
  const pieces: Piece<Segment, Gap>[] = [];
  const left = gaps.toSorted((one, other) => one.start - other.start);
  for (const [index, segment] of segments.entries()) {
    while (left[0] !== undefined && left[0].start < segment.start) pieces.push({ kind: "gap", gap: left.shift()! });
    pieces.push({ kind: "segment", segment, index });
  }
  return [...pieces, ...left.map((gap) => ({ kind: "gap" as const, gap }))];
}
