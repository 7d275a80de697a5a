import { correctionLimits } from "@reelscript/contract/values";
import { useEffect, useMemo, useRef, useState } from "react";
import { operationAddress } from "../../../api/call.ts";
import { useKeptDraft } from "../../../api/kept-drafts.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button, AnchorButton, CopyButton } from "../../../components/button.tsx";
import { Note } from "../../../components/page.tsx";
import { counted, duration } from "../../../format.ts";
import { CorrectionEditor } from "./correction/correction-form.tsx";
import { CorrectionNote, useWordCorrection, OtherPlaces, WordEditor } from "./correction/word-correction.tsx";
import type { Correctable, CorrectionDraft } from "./correction/use-save-correction.ts";
import { useOpenScript } from "./open-script.ts";
import { FindBar, useFind } from "./find-bar.tsx";
import { PlayButton } from "./player.tsx";
import { ReceiptNote, RoughNote, TranscribeAgain, UnsureWords } from "./transcript-notes.tsx";
import { countWords } from "./script-words.ts";
import { SegmentList } from "./segment-list.tsx";
import type { PlacedWord } from "./placed-word.ts";
import { changedLetters } from "./correction/changed-letters.ts";

type Mode = "read" | "compare" | "correct";

const forms = ["txt", "srt", "vtt"] as const;

export function Transcript() {
  const { script } = useOpenScript();
  const [keptDraft] = useKeptDraft<CorrectionDraft>("corrections", script.id);
  const [chosen, setMode] = useState<Mode>();
  const mode = chosen ?? (keptDraft ? "correct" : "read");
  const [corrected, setCorrected] = useState(false);
  if (mode !== "correct") return <Reader mode={mode} onMode={setMode} takeFocus={corrected} />;
  return (
    <article aria-label="Transcript">
      <CorrectionEditor
        onClose={() => {
          setCorrected(true);
          setMode("read");
        }}
      />
    </article>
  );
}

interface ReaderProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** True after a correction was written here. */
  readonly takeFocus: boolean;
}

function Reader({ mode, onMode, takeFocus }: ReaderProps) {
  const { script, player } = useOpenScript();
  const { id, transcript } = script;
  const [times, setTimes] = useState(true);
  const correction = useOperation("getScriptCorrection", { id }, { enabled: script.correctedAt !== undefined });
  const words = useMemo(() => countWords(transcript), [transcript]);
  const isTooLong = script.segments.length > correctionLimits.segments;
  const correcting = useWordCorrection({
    read: async () => (await correction.refetch()).data,
    onFailed: () => onMode("correct"),
  });
  const find = useFind();
  const edit = (line: number, word: PlacedWord): void => {
    player.pause();
    correcting.begin(line, word);
  };
  return (
    <article aria-label="Transcript">
      <Tools
        words={words}
        times={times}
        onTimes={setTimes}
        takeFocus={takeFocus}
        onCorrect={isTooLong ? undefined : () => onMode("correct")}
        find={find}
      />
      {isTooLong && tooLong}
      {correcting.others && <OtherPlaces {...correcting.others} />}
      <CorrectionNote
        found={correction.data}
        comparing={mode === "compare"}
        onCompare={(comparing) => onMode(comparing ? "compare" : "read")}
      />
      <RoughNote />
      {mode === "compare" && correction.data !== undefined ? (
        <ComparedSegments found={correction.data} />
      ) : (
        <SegmentList
          times={times}
          matches={find.matches}
          active={find.shown}
          onEdit={isTooLong ? undefined : edit}
          edited={correcting.edited}
          editor={correcting.editor && <WordEditor {...correcting.editor} />}
        />
      )}
      <div className="receipt stack">
        <UnsureWords />
        <ReceiptNote words={words} />
        {script.correctedAt === undefined && <TranscribeAgain />}
      </div>
    </article>
  );
}

/** Nobody should write first and learn it when saving. */
const tooLong = (
  <Note icon="edit">
    <p>
      This transcript has too many lines to correct. You can correct up to{" "}
      {counted(correctionLimits.segments, "line", "lines")}.
    </p>
  </Note>
);

interface ToolsProps {
  readonly words: number;
  readonly times: boolean;
  readonly onTimes: (times: boolean) => void;
  readonly takeFocus: boolean;
  readonly onCorrect: (() => void) | undefined;
  readonly find: ReturnType<typeof useFind>;
}

function Tools({ words, times, onTimes, takeFocus, onCorrect, find }: ToolsProps) {
  const { id, transcript } = useOpenScript().script;
  const correct = useRef<HTMLButtonElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takeFocus) correct.current?.focus({ preventScroll: true });
  }, [takeFocus]);
  return (
    <div className="tools row wrap">
      <PlayButton />
      <CopyButton text={transcript} kind="ink" done={`Copied ${counted(words, "word", "words")}`}>
        Copy text
      </CopyButton>
      <span className="button-group" role="group" aria-label="Download">
        {forms.map((format, index) => (
          <AnchorButton
            key={format}
            {...(index === 0 && { icon: "download" as const })}
            href={operationAddress("getScript", { id, format })}
            download
            aria-label={`Download ${format.toUpperCase()}`}
          >
            {format.toUpperCase()}
          </AnchorButton>
        ))}
      </span>
      <Button kind="ghost" icon="clock" aria-pressed={times} onClick={() => onTimes(!times)}>
        Times
      </Button>
      {onCorrect && (
        <Button ref={correct} kind="ghost" icon="edit" onClick={onCorrect}>
          Correct
        </Button>
      )}
      <div className="at-end">
        <Button ref={toggle} kind="ghost" icon="search" iconOnly aria-expanded={find.isOpen} onClick={find.open}>
          Find in this script
        </Button>
      </div>
      {find.isOpen && (
        <FindBar
          find={find}
          onClose={() => {
            find.close();
            toggle.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function ComparedSegments({ found }: { readonly found: Correctable }) {
  const { language } = useOpenScript().script;
  return (
    <ol className="segment-list compared" aria-label="Corrected and original lines">
      {found.segments.map(({ start, text, original }, index) => (
        <li key={index}>
          <time>{duration(start)}</time>
          <p lang={language} dir="auto">
            {changedLetters(original, text).map((part, place) =>
              part.kind === "removed" ? (
                <del key={place}>{part.text}</del>
              ) : part.kind === "added" ? (
                <ins key={place}>{part.text}</ins>
              ) : (
                part.text
              ),
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
