import { useEffect, useEffectEvent, useMemo, useState, type ComponentProps } from "react";
import type { Output } from "../../../api/operation-types.ts";
import type { FindBar } from "./find-bar.tsx";
import { findMatches, type Match } from "./find-matches.ts";
import type { MomentOf } from "./word-moments.ts";

interface Asked {
  readonly script: Output<"getScript">;
  readonly current: number | undefined;
  /** What led here from the library; found again here. */
  readonly query: string | undefined;
  readonly momentOf: MomentOf;
  readonly onChoose: (second: number) => void;
  readonly onClosed: () => void;
}

interface Find {
  readonly matches: readonly Match[];
  /** The match that somebody went to. */
  readonly shown: Match | undefined;
  /** The find bar, while it is open. */
  readonly bar: ComponentProps<typeof FindBar> | undefined;
  readonly open: () => void;
}

/** Finds words in the segments of a script, one place after another. */
export function useFind({
  script: { segments, transcript },
  current,
  query,
  momentOf,
  onChoose,
  onClosed,
}: Asked): Find {
  const [find, setFind] = useState({ isOpen: query !== undefined, asked: false, text: query ?? "" });
  const [place, setPlace] = useState<number>();
  const texts = useMemo(
    () => (segments.length > 0 ? segments.map(({ text }) => text.trim()) : [transcript]),
    [segments, transcript],
  );
  const matches = useMemo(() => (find.isOpen ? findMatches(texts, find.text) : []), [texts, find.isOpen, find.text]);
  const atCurrent = Math.max(
    0,
    matches.findIndex(({ text }) => text === current),
  );
  const active = Math.min(place ?? atCurrent, Math.max(0, matches.length - 1));
  const open = (): void => setFind((before) => ({ ...before, isOpen: true, asked: true }));
  useFindKey(open);

  const bar: Find["bar"] = {
    text: find.text,
    takeFocus: find.asked,
    found: matches.length,
    active,
    onText(text) {
      setFind({ ...find, text });
      setPlace(0);
    },
    onMove(step) {
      const next = (active + step + matches.length) % matches.length;
      if (matches[next] === undefined) return;
      setPlace(next);
      const moment = momentOf(matches[next]);
      if (moment !== undefined) onChoose(moment);
    },
    onClose() {
      setFind({ ...find, isOpen: false, asked: false });
      onClosed();
    },
  };
  return {
    matches,
    shown: place === undefined ? undefined : matches[active],
    bar: find.isOpen ? bar : undefined,
    open,
  };
}

function useFindKey(onFind: () => void): void {
  const find = useEffectEvent(onFind);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      find();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
