export const weekDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayCount = weekDays.length;
export const hourCount = 24;
/** Where a day of work begins; the hours before come last where hours run down. */
const firstHourDown = 6;
const narrow = 440;
const gap = 3;

export interface CellPlace {
  readonly column: number;
  readonly row: number;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly cellOf: (column: number, row: number) => { readonly day: number; readonly hour: number };
  readonly placeOf: (day: number, hour: number) => CellPlace;
}

export interface HeatMapLayout extends Grid {
  /** Hours run across, days down. */
  readonly across: boolean;
  readonly x: (column: number) => number;
  readonly y: (row: number) => number;
  /** Of the last row; its labels come below. */
  readonly bottom: number;
  readonly height: number;
  /** The hour of a label, `step` columns or rows from the first. */
  readonly hourAt: (step: number) => number;
  readonly placeAt: (point: { readonly x: number; readonly y: number }) => CellPlace | undefined;
}

/** Hours across and days down; days across and hours down, from 06, where there is too little room. */
export function heatMapLayout(width: number): HeatMapLayout {
  const grid = gridOf(width);
  const { columns, rows, left, top, cellWidth, cellHeight } = grid;
  const across = columns === hourCount;
  const y = (row: number): number => top + row * (cellHeight + gap);
  const bottom = y(rows) - gap;
  return {
    ...grid,
    across,
    x: (column) => left + column * (cellWidth + gap),
    y,
    bottom,
    height: bottom + (across ? 22 : 2),
    hourAt: (step) => (across ? step : (step + firstHourDown) % hourCount),
    placeAt: (point) => {
      const column = Math.floor((point.x - left) / (cellWidth + gap));
      const row = Math.floor((point.y - top) / (cellHeight + gap));
      const inside = column >= 0 && column < columns && row >= 0 && row < rows;
      return inside ? { column, row } : undefined;
    },
  };
}

function gridOf(width: number): Grid {
  if (width >= narrow) {
    const left = 40;
    const cellWidth = (width - left + gap) / hourCount - gap;
    return {
      columns: hourCount,
      rows: dayCount,
      left,
      top: 0,
      cellWidth,
      cellHeight: Math.min(24, Math.max(16, cellWidth)),
      cellOf: (column, row) => ({ day: row, hour: column }),
      placeOf: (day, hour) => ({ column: hour, row: day }),
    };
  }
  const left = 28;
  return {
    columns: dayCount,
    rows: hourCount,
    left,
    top: 18,
    cellWidth: (width - left + gap) / dayCount - gap,
    cellHeight: 16,
    cellOf: (column, row) => ({ day: column, hour: (row + firstHourDown) % hourCount }),
    placeOf: (day, hour) => ({ column: day, row: (hour - firstHourDown + hourCount) % hourCount }),
  };
}
