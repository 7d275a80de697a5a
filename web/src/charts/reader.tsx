import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { flushSync } from "react-dom";
import { stepOf, type Point } from "./geometry.ts";

interface Props {
  readonly name: string;
  readonly count: number;
  readonly first: number;
  /** The item at a point of the drawing, in pixels; `undefined` if there is none. */
  readonly at: (point: Point) => number | undefined;
  /** Position of the item, in pixels of the drawing. */
  readonly pointOf: (index: number) => Point;
  /** Text for screen readers: the item's name, then its values. */
  readonly texts: (index: number) => readonly [string, ...string[]];
  /** How many items the up and down arrows skip: 24 in a week of hours. */
  readonly row?: number;
  /** The selected item. */
  readonly read: number | undefined;
  readonly onRead: (index: number | undefined) => void;
}

/** Covers a drawing and shows one value at a time, for mouse, touch and keyboard. */
export function Reader({ name, count, first, at, pointOf, texts, row = 1, read, onRead }: Props) {
  const [current, setKept] = useState(first);
  const [side, setSide] = useState<"after" | "before">("after");
  const surface = useRef<HTMLDivElement>(null);
  const readIndex = read !== undefined && read < count ? read : undefined;
  const show = (next: number | undefined): void => {
    if (next === read) return;
    onRead(next);
    if (next === undefined) return;
    setKept(next);
    if (surface.current) setSide(sideOf(surface.current, pointOf(next).x));
  };
  const byPointer = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    show(at({ x: clientX - left, y: clientY - top }));
  };
  const byKey = (event: KeyboardEvent): void => {
    const next = stepOf(event.key, Math.min(current, count - 1), { count, row });
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  const now = Math.max(0, Math.min(current, count - 1));
  const spot = readIndex === undefined ? undefined : pointOf(readIndex);
  return (
    <>
      <div
        ref={surface}
        className="chart-reader"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={now + 1}
        aria-valuetext={texts(now).join(", ")}
        onPointerMove={byPointer}
        onPointerDown={byPointer}
        onPointerLeave={() => show(undefined)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && show(now)}
        onBlur={() => show(undefined)}
        onKeyDown={byKey}
      />
      {readIndex !== undefined && spot && (
        <div className={`chart-tip ${side}`} style={{ left: spot.x, top: spot.y }} aria-hidden="true">
          {texts(readIndex).map((line, index) =>
            index === 0 ? <b key={line}>{line}</b> : <span key={line}>{line}</span>,
          )}
        </div>
      )}
    </>
  );
}

function sideOf(surface: HTMLElement, x: number): "after" | "before" {
  const scroller = surface.closest<HTMLElement>(".chart-scroll");
  if (scroller === null) return x > surface.clientWidth / 2 ? "before" : "after";
  if (x < scroller.scrollLeft || x > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = x - scroller.clientWidth / 2;
  return x - scroller.scrollLeft > scroller.clientWidth / 2 ? "before" : "after";
}

/** The width in pixels of a chart's card on paper, whether A4 or Letter. */
const paperWidth = 600;

/**
 * The width of an element in pixels, updated with the window; 0 until it is on the page. While printing, it is the paper's: a
 * drawing of that width needs no scaling, which would make its letters tiny.
 */
export function useWidth() {
  const [width, setWidth] = useState(0);
  const [isPrinted, setPrinted] = useState(false);
  const measured = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The browser captures the page as soon as this returns.
    const beforePrint = (): void => flushSync(() => setPrinted(true));
    const afterPrint = (): void => setPrinted(false);
    addEventListener("beforeprint", beforePrint);
    addEventListener("afterprint", afterPrint);
    return () => {
      observer.disconnect();
      removeEventListener("beforeprint", beforePrint);
      removeEventListener("afterprint", afterPrint);
    };
  }, []);
  return [measured, isPrinted && width > 0 ? paperWidth : width, isPrinted] as const;
}
