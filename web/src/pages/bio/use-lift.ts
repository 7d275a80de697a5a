import { useLayoutEffect, useRef, useState } from "react";
import { moveItem } from "./draft/move-item.ts";

export interface Lifted {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** While it is pulled by a pointer. */
  readonly pull?: Pull;
}

export interface Pull {
  readonly spans: readonly { readonly top: number; readonly height: number }[];
  /** Where it was taken and where the pointer is, in the page. */
  readonly start: number;
  readonly at: number;
}

export interface LiftOptions {
  readonly ids: readonly string[];
  readonly nameOf: (id: string) => string;
  readonly onMove: (from: number, to: number) => void;
}

/** The item of a list that is picked up, where it would be put down, and what is said about it. */
export function useLift({ ids, nameOf, onMove }: LiftOptions) {
  const handles = useRef(new Map<string, HTMLElement>());
  const [lifted, setLifted] = useState<Lifted>();
  const [announcement, setAnnouncement] = useState("");
  const byKeys = lifted !== undefined && lifted.pull === undefined;
  const order = byKeys ? moveItem(ids, lifted.from, lifted.to) : ids;

  const say = (what: string, index: number): void => setAnnouncement(`${what} ${index + 1} of ${ids.length}.`);
  const drop = (): void => {
    if (lifted === undefined) return;
    setLifted(undefined);
    if (byKeys || lifted.to !== lifted.from) say(`${nameOf(lifted.id)} was put down at`, lifted.to);
    if (lifted.to !== lifted.from) onMove(lifted.from, lifted.to);
  };
  const cancel = (): void => {
    if (lifted === undefined) return;
    setLifted(undefined);
    say(`${nameOf(lifted.id)} is back at`, lifted.from);
  };

  // An element that changes its place in the document loses the focus.
  const place = byKeys ? lifted.to : undefined;
  const holder = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (holder.current !== undefined) handles.current.get(holder.current)?.focus();
    if (place === undefined) holder.current = undefined;
  }, [place]);

  const take = (id: string): void => {
    const from = ids.indexOf(id);
    holder.current = id;
    setLifted({ id, from, to: from });
    say(`Picked up ${nameOf(id)}. Arrow keys move it, Enter puts it down, Escape puts it back. It is at`, from);
  };
  const step = (to: number): void => {
    if (lifted === undefined || to < 0 || to >= ids.length) return;
    setLifted({ ...lifted, to });
    say(`${nameOf(lifted.id)} is at`, to);
  };

  return {
    lifted,
    setLifted,
    byKeys,
    order,
    announcement,
    handleRef: (id: string) => (element: HTMLElement | null) => {
      if (element === null) handles.current.delete(id);
      else handles.current.set(id, element);
    },
    forgetHolder: () => {
      holder.current = undefined;
    },
    drop,
    cancel,
    take,
    step,
  };
}
