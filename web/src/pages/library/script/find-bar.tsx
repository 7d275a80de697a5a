import { useEffect, useRef, useMemo, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { useKey } from "../../../components/use-key.ts";
import { exactNumber } from "../../../format.ts";
import { findMatches, type Match } from "./find-matches.ts";
import { useOpenScript } from "./open-script.ts";
import { secondOf } from "./script-moments.ts";

/** Finds words in the open script, as a browser does on a page. */
export interface Find {
  readonly isOpen: boolean;
  readonly takesFocus: boolean;
  readonly text: string;
  /** Empty while it is closed. */
  readonly matches: readonly Match[];
  /** The current match, from 0. */
  readonly active: number;
  /** The current match, once somebody has typed or moved. */
  readonly currentMatch: Match | undefined;
  readonly open: () => void;
  readonly close: () => void;
  readonly type: (text: string) => void;
  /** Goes to the previous or next match, wrapping around, and plays its moment. */
  readonly move: (step: 1 | -1) => void;
}

interface Props {
  readonly find: Find;
  readonly onClose: () => void;
}

export function FindBar({ find: { text, matches, active, takesFocus, type, move }, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.select();
  }, [takesFocus]);
  const matchCount = matches.length;
  return (
    <div className="find row" role="search" aria-label="This script">
      <input
        ref={field}
        className="input grow"
        type="search"
        dir="auto"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="next"
        aria-label="Find in this script"
        placeholder="Find in this script"
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") move(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onClose();
        }}
      />
      <span className="meta" role="status">
        {text.trim() !== "" &&
          (matchCount === 0 ? "No matches" : `${exactNumber(active + 1)} of ${exactNumber(matchCount)}`)}
      </span>
      <Button kind="ghost" icon="up" iconOnly disabled={matchCount === 0} onClick={() => move(-1)}>
        Previous match
      </Button>
      <Button kind="ghost" icon="down" iconOnly disabled={matchCount === 0} onClick={() => move(1)}>
        Next match
      </Button>
      <Button kind="ghost" icon="close" iconOnly onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

export function useFind(): Find {
  const { script, current, query, moments, choose } = useOpenScript();
  const { segments } = script;
  const [find, setFind] = useState({ isOpen: query !== undefined, takesFocus: false, text: query ?? "" });
  const [index, setIndex] = useState<number>();
  const texts = useMemo(() => segments.map(({ text }) => text.trim()), [segments]);
  const matches = useMemo(() => (find.isOpen ? findMatches(texts, find.text) : []), [texts, find.isOpen, find.text]);
  const atCurrent = Math.max(
    0,
    matches.findIndex(({ text }) => text === current?.line),
  );
  const active = Math.min(index ?? atCurrent, Math.max(0, matches.length - 1));
  const open = (): void => setFind((before) => ({ ...before, isOpen: true, takesFocus: true }));
  useKey("/", open);
  return {
    isOpen: find.isOpen,
    takesFocus: find.takesFocus,
    text: find.text,
    matches,
    active,
    currentMatch: index === undefined ? undefined : matches[active],
    open,
    close: () => setFind({ ...find, isOpen: false, takesFocus: false }),
    type: (text) => {
      setFind({ ...find, text });
      setIndex(0);
    },
    move: (step) => {
      const next = (active + step + matches.length) % matches.length;
      if (matches[next] === undefined) return;
      setIndex(next);
      const second = secondOf(moments.words[matches[next].text], matches[next].start);
      if (second !== undefined) choose(second);
    },
  };
}
