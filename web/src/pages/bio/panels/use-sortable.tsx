import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { positionAfterDrag, moveItem } from "../draft/content.ts";

const edge = 72;
const leastPull = 4;

/**
 * A list whose items people move by their handles: dragged with mouse, pen or finger, or picked up with Space or Enter and
 * moved with the arrow keys. Each step is announced in `announcement`.
 */
export function useSortable({ ids, nameOf, onMove }: LiftOptions) {
  const hintId = useId();
  const list = useRef<HTMLUListElement>(null);
  const pointer = useRef(0);
  const { lifted, setLifted, announcement, drop, cancel, take, step } = useLift({ ids, nameOf, onMove });
  const byKeys = lifted !== undefined && lifted.pull === undefined;

  const onPull = (clientY: number): void => {
    pointer.current = clientY;
    if (lifted?.pull === undefined) return;
    const at = clientY + window.scrollY;
    const to = positionAfterDrag(lifted.pull.spans, lifted.from, at - lifted.pull.start);
    setLifted({ ...lifted, to, pull: { ...lifted.pull, at } });
  };
  const isPulled = lifted?.pull !== undefined;
  useScrollAtEdges(isPulled, pointer, onPull);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (lifted === undefined) return;
    const steps: Partial<Record<string, () => void>> = {
      Escape: cancel,
      ...(byKeys && {
        ArrowUp: () => step(lifted.to - 1),
        ArrowDown: () => step(lifted.to + 1),
        Home: () => step(0),
        End: () => step(ids.length - 1),
      }),
    };
    const act = steps[event.key];
    if (act === undefined) return;
    event.preventDefault();
    const handle = event.currentTarget;
    flushSync(act);
    // An element loses the focus when it moves in the document.
    handle.focus();
  };
  const onPointerDown = (id: string, event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || list.current === null) return;
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    const spans = spansOf(list.current);
    const start = event.clientY + window.scrollY;
    const from = ids.indexOf(id);
    pointer.current = event.clientY;
    setLifted({ id, from, to: from, pull: { spans, start, at: start } });
  };

  return {
    inOrder: <Item,>(items: readonly Item[]): readonly Item[] =>
      byKeys ? moveItem(items, lifted.from, lifted.to) : items,
    announcement,
    hintId,
    listProps: { ref: list, "data-sorting": isPulled || undefined },
    itemProps: (id: string) => {
      const shift = shiftOf(lifted, ids.indexOf(id));
      const isHeld = lifted?.id === id && (byKeys || Math.abs(shift) >= leastPull);
      return { "data-held": isHeld || undefined, style: shift === 0 ? undefined : { translate: `0 ${shift}px` } };
    },
    handleProps: (id: string) => ({
      "aria-label": `Move ${nameOf(id)}`,
      "aria-describedby": hintId,
      "aria-pressed": lifted?.id === id,
      onKeyDown,
      onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(id, event),
      onPointerMove: (event: PointerEvent) => onPull(event.clientY),
      onPointerUp: isPulled ? drop : undefined,
      onPointerCancel: cancel,
      // Only for keyboards and screen readers; a pointer's click has a count.
      onClick: ({ detail }: { readonly detail: number }) => {
        if (detail !== 0) return;
        if (lifted?.id === id) drop();
        else take(id);
      },
      onBlur: ({ relatedTarget }: { readonly relatedTarget: EventTarget | null }) => {
        if (byKeys && relatedTarget !== null) drop();
      },
    }),
  };
}

function useScrollAtEdges(active: boolean, pointer: RefObject<number>, onScroll: (clientY: number) => void): void {
  const scrolled = useEffectEvent(onScroll);
  useEffect(() => {
    if (!active) return undefined;
    let frame = requestAnimationFrame(function scroll() {
      const beyond = Math.min(0, pointer.current - edge) + Math.max(0, pointer.current - innerHeight + edge);
      if (beyond !== 0) {
        window.scrollBy(0, beyond / 5);
        scrolled(pointer.current);
      }
      frame = requestAnimationFrame(scroll);
    });
    return () => cancelAnimationFrame(frame);
  }, [active, pointer]);
}

const spansOf = (list: HTMLElement): Pull["spans"] =>
  [...list.children].map((item) => {
    const { top, height } = item.getBoundingClientRect();
    return { top: top + window.scrollY, height };
  });

function shiftOf(lifted: Lifted | undefined, index: number): number {
  const { from = 0, to = 0, pull } = lifted ?? {};
  if (pull === undefined) return 0;
  if (index === from) return pull.at - pull.start;
  const [first, second] = pull.spans;
  const gap = first && second ? second.top - first.top - first.height : 0;
  const room = (pull.spans[from]?.height ?? 0) + gap;
  if (index > from && index <= to) return -room;
  return index < from && index >= to ? room : 0;
}

interface Lifted {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** While a pointer drags it. */
  readonly pull?: Pull;
}

interface Pull {
  readonly spans: readonly { readonly top: number; readonly height: number }[];
  /** Pointer positions in the page: at the start of the drag and now. */
  readonly start: number;
  readonly at: number;
}

interface LiftOptions {
  readonly ids: readonly string[];
  readonly nameOf: (id: string) => string;
  readonly onMove: (from: number, to: number) => void;
}

function useLift({ ids, nameOf, onMove }: LiftOptions) {
  const [lifted, setLifted] = useState<Lifted>();
  const [announcement, setAnnouncement] = useState("");

  const say = (what: string, index: number): void => setAnnouncement(`${what} ${index + 1} of ${ids.length}.`);
  const drop = (): void => {
    if (lifted === undefined) return;
    setLifted(undefined);
    if (lifted.pull === undefined || lifted.to !== lifted.from) say(`${nameOf(lifted.id)} was put down at`, lifted.to);
    if (lifted.to !== lifted.from) onMove(lifted.from, lifted.to);
  };
  const cancel = (): void => {
    if (lifted === undefined) return;
    setLifted(undefined);
    say(`${nameOf(lifted.id)} is back at`, lifted.from);
  };

  const take = (id: string): void => {
    const from = ids.indexOf(id);
    setLifted({ id, from, to: from });
    say(`Picked up ${nameOf(id)}. Arrow keys move it, Enter puts it down, Escape puts it back. It is at`, from);
  };
  const step = (to: number): void => {
    if (lifted === undefined || to < 0 || to >= ids.length) return;
    setLifted({ ...lifted, to });
    say(`${nameOf(lifted.id)} is at`, to);
  };

  return { lifted, setLifted, announcement, drop, cancel, take, step };
}

export function SortHint({ id, announcement }: { readonly id: string; readonly announcement: string }) {
  return (
    <>
      <p id={id} hidden>
        Space or Enter picks it up; then the arrow keys move it.
      </p>
      <p className="visually-hidden" role="status" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
