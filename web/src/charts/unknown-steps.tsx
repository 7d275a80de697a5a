/** Room that a letter of the words needs. */
const letter = 7;

interface Props {
  readonly count: number;
  readonly words: string;
  /** Pixels of one step. */
  readonly step: number;
  readonly top: number;
  readonly base: number;
}

/** The ground of steps at the beginning of which nothing is known. */
export function UnknownSteps({ count, words, step, top, base }: Props) {
  const width = count * step;
  if (count === 0) return undefined;
  return (
    <>
      <rect className="unknown" x={0} y={top} width={width} height={base - top} />
      {words.length * letter < width && (
        <text x={width / 2} y={(top + base) / 2} textAnchor="middle">
          {words}
        </text>
      )}
    </>
  );
}

/** Marks on the base line, which set a step without anything apart from one of which nothing is known. */
export const emptySteps = (
  values: readonly (number | null)[],
  x: (index: number) => number,
  { barWidth, base }: { readonly barWidth: number; readonly base: number },
): string =>
  values.map((value, index) => (value === 0 ? `M${x(index) - barWidth / 2} ${base}h${barWidth}` : "")).join("");
