import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { downloadAddress } from "../../../api/operation-address.ts";
import type { Output } from "../../../api/operation-types.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { AnchorButton } from "../../../components/link-button.tsx";
import { counted } from "../../../format/number.ts";
import { FindBar } from "./find-bar.tsx";
import { findMatches } from "./find-matches.ts";
import { ReceiptNote } from "./receipt-note.tsx";
import { countWords } from "./script-words.ts";
import { SegmentList } from "./segment-list.tsx";
import { TranscribeAgain } from "./transcribe-again.tsx";
import type { MomentOf } from "./word-moments.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly current: number | undefined;
  /** What led here from the library; found again here. */
  readonly query: string | undefined;
  readonly momentOf: MomentOf;
  readonly onChoose: (second: number) => void;
}

const forms = ["txt", "srt", "vtt"] as const;

export function Transcript({ script, current, query, momentOf, onChoose }: Props) {
  const { id, segments, transcript } = script;
  const [times, setTimes] = useState(true);
  const [find, setFind] = useState({ open: query !== undefined, asked: false, text: query ?? "" });
  const [place, setPlace] = useState<number>();
  const toggle = useRef<HTMLDivElement>(null);
  const words = useMemo(() => countWords(transcript), [transcript]);
  const texts = useMemo(
    () => (segments.length > 0 ? segments.map(({ text }) => text.trim()) : [transcript]),
    [segments, transcript],
  );
  const matches = useMemo(() => (find.open ? findMatches(texts, find.text) : []), [texts, find.open, find.text]);
  const atCurrent = Math.max(
    0,
    matches.findIndex(({ text }) => text === current),
  );
  const active = Math.min(place ?? atCurrent, Math.max(0, matches.length - 1));
  const openFind = (): void => setFind((before) => ({ ...before, open: true, asked: true }));

  useFindKey(openFind);

  return (
    <article aria-label="Transcript">
      <div className="tools">
        <CopyButton text={transcript} kind="ink" done={`Copied ${counted(words, "word", "words")}`}>
          Copy text
        </CopyButton>
        <Downloads id={id} />
        {segments.length > 0 && (
          <Button kind="ghost" icon="clock" aria-pressed={times} onClick={() => setTimes(!times)}>
            Times
          </Button>
        )}
        <div className="at-end" ref={toggle}>
          <Button kind="ghost" icon="search" iconOnly aria-expanded={find.open} onClick={openFind}>
            Find in this script
          </Button>
        </div>
        {find.open && (
          <FindBar
            text={find.text}
            takeFocus={find.asked}
            found={matches.length}
            active={active}
            onText={(text) => {
              setFind({ ...find, text });
              setPlace(0);
            }}
            onMove={(step) => {
              const next = (active + step + matches.length) % matches.length;
              if (matches[next] === undefined) return;
              setPlace(next);
              const moment = momentOf(matches[next]);
              if (moment !== undefined) onChoose(moment);
            }}
            onClose={() => {
              setFind({ ...find, open: false, asked: false });
              toggle.current?.querySelector("button")?.focus();
            }}
          />
        )}
      </div>
      <SegmentList
        script={script}
        times={times}
        current={current}
        matches={matches}
        active={place === undefined ? undefined : matches[active]}
        momentOf={momentOf}
        onChoose={onChoose}
      />
      <div className="receipt">
        <ReceiptNote script={script} words={words} />
        <TranscribeAgain script={script} />
      </div>
    </article>
  );
}

function Downloads({ id }: { readonly id: string }) {
  return (
    <span className="button-group" role="group" aria-label="Download">
      {forms.map((format, index) => (
        <AnchorButton
          key={format}
          kind="quiet"
          {...(index === 0 && { icon: "download" as const })}
          href={downloadAddress("getScript", { id }, { format })}
          download
          aria-label={`Download ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </AnchorButton>
      ))}
    </span>
  );
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
