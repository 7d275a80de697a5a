import { hourCount, weekDays, type CellPlace, type HeatMapLayout } from "./heat-map-layout.ts";

export const squarePath = ({ x, y, cellWidth, cellHeight }: HeatMapLayout, { column, row }: CellPlace): string =>
  `M${x(column)} ${y(row)}h${cellWidth}v${cellHeight}h${-cellWidth}z`;

interface SquaresProps {
  readonly layout: HeatMapLayout;
  /** A path for each shade, from the palest. */
  readonly shades: readonly string[];
  /** The same of squares that few reels speak for. */
  readonly paleShades: readonly string[];
  /** Get a dot. */
  readonly unvalued: readonly { readonly day: number; readonly hour: number }[];
}

export function Squares({
  layout: { x, y, cellWidth, cellHeight, placeOf },
  shades,
  paleShades,
  unvalued,
}: SquaresProps) {
  return (
    <>
      {shades.map((path, step) => (
        // oxlint-disable-next-line react/no-array-index-key -- the place is the shade
        <path key={step} className={step > 0 ? `heat-${step}` : undefined} d={path} />
      ))}
      <g className="few">
        {paleShades.map((path, step) => (
          // oxlint-disable-next-line react/no-array-index-key -- the place is the shade
          <path key={step} className={step > 0 ? `heat-${step}` : undefined} d={path} />
        ))}
      </g>
      {unvalued.map(({ day, hour }) => {
        const { column, row } = placeOf(day, hour);
        return (
          <circle
            key={`${day} ${hour}`}
            className="no-value"
            cx={x(column) + cellWidth / 2}
            cy={y(row) + cellHeight / 2}
            r={2}
          />
        );
      })}
    </>
  );
}

interface RingProps {
  readonly layout: HeatMapLayout;
  readonly place: CellPlace;
  readonly className: "best" | "read";
}

export const Ring = ({ layout: { x, y, cellWidth, cellHeight }, place: { column, row }, className }: RingProps) => (
  <rect className={className} x={x(column) - 1} y={y(row) - 1} width={cellWidth + 2} height={cellHeight + 2} rx={3} />
);

interface ScalesProps {
  readonly layout: HeatMapLayout;
  readonly bestDay: number | undefined;
}

/** The days, and every third hour. */
export function Scales({ layout: { across, x, y, bottom, cellWidth, cellHeight, hourAt }, bestDay }: ScalesProps) {
  return (
    <>
      {weekDays.map((day, index) => (
        <text
          key={day}
          className={bestDay === index ? "emphasized" : undefined}
          x={across ? 0 : x(index) + cellWidth / 2}
          y={across ? y(index) + cellHeight / 2 + 4 : 10}
          textAnchor={across ? "start" : "middle"}
        >
          {day}
        </text>
      ))}
      {Array.from({ length: hourCount / 3 }, (_, index) => index * 3).map((step) => (
        <text key={step} x={across ? x(step) : 0} y={across ? bottom + 18 : y(step) + cellHeight / 2 + 4}>
          {String(hourAt(step)).padStart(2, "0")}
        </text>
      ))}
    </>
  );
}
