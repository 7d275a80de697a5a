import {
  defaultRangeExtractor,
  measureElement,
  useWindowVirtualizer,
  windowScroll,
  type Range,
} from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useRef, useState, type FocusEvent } from "react";
import type { Script } from "@reelscript/contract";
import { ScriptRow } from "./script-row.tsx";
import type { RowSelection } from "./selection.tsx";

/**
 * Estimated heights, in CSS pixels, of a row with two lines of words and of everything above the list. A right estimate spares
 * the browser a second layout.
 */
const usualHeights = { narrow: { row: 125, above: 476 }, wide: { row: 101, above: 330 } } as const;
/** Below this width, rows show their figures on separate lines. */
const narrow = 600;
/** The list's position on the page at its last rendering, in CSS pixels. */
let topOfList: number | undefined;
/** Measured heights by script, so that the list has its former height when people come back to a place in it. */
const heights = new Map<string, number>();
/** Extra rows above and below the window, for keys and fast scrolling; the window itself is rendered first. */
const beyond = 8;
const beyondAtFirst = 1;

interface Props {
  readonly scripts: readonly Script[];
  /** All results, including those that aren't loaded yet. */
  readonly total: number;
  readonly query: string | undefined;
  readonly ofRow: (id: string) => RowSelection | undefined;
}

/** Renders the visible rows and the focused one, wherever it is. Each has its position in the whole list. */
export function VirtualRows({ scripts, total, query, ofRow }: Props) {
  const list = useRef<HTMLUListElement>(null);
  // Read once: between two changes of the page, reading it would force a layout.
  const [{ usual, initialRect }] = useState(() => ({
    usual: usualHeights[innerWidth < narrow ? "narrow" : "wide"],
    initialRect: { width: innerWidth, height: innerHeight },
  }));
  const [top, setTop] = useState(topOfList ?? usual.above);
  const [focused, setFocused] = useState<number>();
  const overscan = useDeferredValue(beyond, beyondAtFirst);
  // oxlint-disable-next-line react/incompatible-library -- nothing compiles components here
  const rows = useWindowVirtualizer({
    count: scripts.length,
    estimateSize: (index) => heights.get(scripts[index]?.id ?? "") ?? usual.row,
    measureElement(row: HTMLLIElement, entry, instance) {
      const index = instance.indexFromElement(row);
      // The observer measures new rows before they are painted; measuring earlier would force a second layout.
      if (entry === undefined) return instance.options.estimateSize(index);
      const height = measureElement(row, entry, instance);
      const script = scripts[index];
      if (script) heights.set(script.id, height);
      return height;
    },
    getItemKey: (index) => scripts[index]?.id ?? index,
    overscan,
    scrollMargin: top,
    initialRect,
    observeElementRect: followWindow,
    // It would first scroll to the window's current position, which forces a layout before the page is complete.
    scrollToFn(offset, options, instance) {
      if (options.adjustments !== undefined || offset !== instance.scrollOffset)
        windowScroll(offset, options, instance);
    },
    rangeExtractor: (range) => withRow(range, focused),
  });
  useEffect(() => {
    // Also called for the first layout, before it is painted. Notices above the list come and go, and move it.
    const observer = new ResizeObserver(() => {
      if (list.current === null) return;
      topOfList = Math.round(list.current.getBoundingClientRect().top + scrollY);
      setTop(topOfList);
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const follow = (event: FocusEvent<HTMLElement>): void => {
    const index = event.target.closest<HTMLElement>("li")?.dataset.index;
    setFocused(index === undefined ? undefined : Number(index));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links take the focus; this follows it
    <ul
      ref={list}
      className="list virtual"
      style={{ height: rows.getTotalSize() }}
      onFocus={follow}
      onBlur={() => setFocused(undefined)}
    >
      {rows.getVirtualItems().map(({ index, start }) => {
        const script = scripts[index];
        return (
          script && (
            <li
              key={script.id}
              ref={rows.measureElement}
              data-index={index}
              className={ofRow(script.id) && "to-select"}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-posinset={index + 1}
              aria-setsize={total}
            >
              <ScriptRow script={script} query={query} selection={ofRow(script.id)} />
            </li>
          )
        );
      })}
    </ul>
  );
}

/** Reports only later sizes: the first is known, and asking for it again would force a layout before the page is complete. */
function followWindow(_list: unknown, report: (size: { width: number; height: number }) => void): () => void {
  const resized = (): void => report({ width: innerWidth, height: innerHeight });
  addEventListener("resize", resized);
  return () => removeEventListener("resize", resized);
}

function withRow(range: Range, row: number | undefined): number[] {
  const drawn = defaultRangeExtractor(range);
  if (row === undefined || row >= range.count || drawn.includes(row)) return drawn;
  return [...drawn, row].toSorted((one, other) => one - other);
}
