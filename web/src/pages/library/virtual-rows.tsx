import { defaultRangeExtractor, measureElement, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useDeferredValue, useLayoutEffect, useRef, useState, type FocusEvent } from "react";
import type { Script } from "@reelscript/contract";
import { ScriptRow } from "./script-row.tsx";
import type { RowSelection } from "./selection.tsx";

/** Height of a row with two lines of words in CSS pixels, until it is measured: a right guess spares the browser a second layout. */
const usualHeight = (): number => (innerWidth < narrow ? 125 : 101);
/** Below it, rows have their figures in lines of their own. */
const narrow = 600;
/** Measured heights by script, so that the list is as high as before for whoever comes back to a place in it. */
const heights = new Map<string, number>();
/** Rows above and below the window, so that keys and a fast thumb find them there; the window itself is drawn before them. */
const beyond = 8;
const beyondAtFirst = 1;

interface Props {
  readonly scripts: readonly Script[];
  /** All that were found, also those that aren't loaded yet. */
  readonly total: number;
  readonly query: string | undefined;
  readonly ofRow: (id: string) => RowSelection | undefined;
}

/** Draws the rows that are seen, and the one that has the focus, wherever it is. Each says its place in the whole list. */
export function VirtualRows({ scripts, total, query, ofRow }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number>();
  const overscan = useDeferredValue(beyond, beyondAtFirst);
  // oxlint-disable-next-line react/incompatible-library -- nothing compiles components here
  const rows = useWindowVirtualizer({
    count: scripts.length,
    estimateSize: (index) => heights.get(scripts[index]?.id ?? "") ?? usualHeight(),
    measureElement(row: HTMLLIElement, entry, instance) {
      const height = measureElement(row, entry, instance);
      const script = scripts[instance.indexFromElement(row)];
      if (script) heights.set(script.id, height);
      return height;
    },
    getItemKey: (index) => scripts[index]?.id ?? index,
    overscan,
    scrollMargin: top,
    initialRect: { width: innerWidth, height: innerHeight },
    rangeExtractor: (range) => withRow(range, focused),
  });
  useLayoutEffect(() => {
    const place = (): void => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY));
    place();
    // Notices above the list come and go, and move it.
    const observer = new ResizeObserver(place);
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

function withRow(range: Range, row: number | undefined): number[] {
  const drawn = defaultRangeExtractor(range);
  if (row === undefined || row >= range.count || drawn.includes(row)) return drawn;
  return [...drawn, row].toSorted((one, other) => one - other);
}
