import { correctionLimits, countWords, filePlatform } from "@reelscript/contract/values";
import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Output } from "@reelscript/client/core";
import { keep, readKept } from "../../../api/browser-storage.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { Choice, optionsOf } from "../../../components/field.tsx";
import { Note } from "../../../components/page.tsx";
import { counted, duration } from "../../../format.ts";
import { CorrectionEditor } from "./correction/correction-form.tsx";
import { CorrectionNote, useWordCorrection, OtherOccurrences, WordEditor } from "./correction/word-correction.tsx";
import type { Correctable } from "./correction/use-save-correction.ts";
import { useOpenScript } from "./open-script.ts";
import { FindBar, useFind, type Find } from "./find-bar.tsx";
import { Translation } from "./translation.tsx";
import { ReceiptNote, RoughNote, TranscribeAgain, UnsureWords } from "./transcript-notes.tsx";
import { SegmentList, type ScriptView } from "./segment-list.tsx";
import type { PlacedWord } from "./placed-word.ts";
import { ScriptVideos } from "./video/script-videos.tsx";
import { changedLetters } from "./correction/changed-letters.ts";

export type Mode = "read" | "compare" | "correct";

interface ReaderProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

interface Props extends ReaderProps {
  /** Called when the correction editor closes. */
  readonly onCorrected: () => void;
}

/** True if the transcript has more lines than a correction may have. */
export const isTooLong = ({ segments }: Output<"getScript">): boolean => segments.length > correctionLimits.segments;

export function Transcript({ mode, onMode, onCorrected }: Props) {
  if (mode !== "correct") return <Reader mode={mode} onMode={onMode} />;
  return (
    <article aria-label="Transcript">
      <CorrectionEditor onClose={onCorrected} />
    </article>
  );
}

function Reader({ mode, onMode }: ReaderProps) {
  const { script, player } = useOpenScript();
  const { id, transcript } = script;
  const [view, setView] = useState<ScriptView>("read");
  const correction = useOperation("getScriptCorrection", { id }, { enabled: script.correctedAt !== undefined });
  const words = useMemo(() => countWords(transcript), [transcript]);
  const correctable = !isTooLong(script);
  const hint = useOnce("word-correction");
  const correcting = useWordCorrection({
    read: async () => (await correction.refetch()).data,
    onFailed: () => onMode("correct"),
  });
  const find = useFind();
  const edit = (line: number, word: PlacedWord): void => {
    player.pause();
    hint.end();
    correcting.begin(line, word);
  };
  return (
    <article aria-label="Transcript">
      <ReadingTools view={view} onView={setView} find={find} />
      {!correctable && tooLong}
      {correcting.others && <OtherOccurrences {...correcting.others} />}
      <CorrectionNote
        transcript={correction.data}
        comparing={mode === "compare"}
        onCompare={(comparing) => onMode(comparing ? "compare" : "read")}
      />
      <RoughNote />
      {mode === "compare" && correction.data !== undefined ? (
        <ComparedSegments transcript={correction.data} />
      ) : (
        <SegmentList
          view={view}
          matches={find.matches}
          active={find.currentMatch}
          onEdit={correctable ? edit : undefined}
          edited={correcting.edited}
          editor={correcting.editor && <WordEditor {...correcting.editor} />}
        />
      )}
      <div className="receipt stack">
        {correctable && hint.isDue && (
          <Note
            icon="edit"
            actions={
              <Button kind="ghost" size="small" onClick={hint.end}>
                Got it
              </Button>
            }
          >
            Press a word twice to fix it.
          </Note>
        )}
        <UnsureWords />
        <ReceiptNote words={words} />
        {script.correctedAt === undefined && <TranscribeAgain />}
        <Translation />
        {script.platform === filePlatform && <ScriptVideos />}
      </div>
    </article>
  );
}

/** A hint that this browser shows until it is dismissed. */
function useOnce(name: string): { readonly isDue: boolean; readonly end: () => void } {
  const key = `hint ${name}`;
  const [isDue, setDue] = useState(() => readKept(key) === null);
  return {
    isDue,
    end: () => {
      keep(key, "shown");
      setDue(false);
    },
  };
}

/** Shown before people type, rather than when they save. */
const tooLong = (
  <Note icon="edit">
    <p>
      This transcript has too many lines to correct. You can correct up to{" "}
      {counted(correctionLimits.segments, "line", "lines")}.
    </p>
  </Note>
);

const views = { read: "Read", captions: "Captions" } as const satisfies Record<ScriptView, string>;

interface ToolsProps {
  readonly view: ScriptView;
  readonly onView: (view: ScriptView) => void;
  readonly find: Find;
}

function ReadingTools({ view, onView, find }: ToolsProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <div className="tools row wrap">
      <Choice legend="Show as" className="view-choice" value={view} options={optionsOf(views)} onChange={onView} />
      <div className={classNames("at-end", find.isOpen && "keeps-its-place")}>
        <Button ref={toggle} kind="ghost" icon="search" iconOnly aria-expanded={find.isOpen} onClick={find.open}>
          Find in this script
        </Button>
      </div>
      {find.isOpen && (
        <FindBar
          find={find}
          onClose={() => {
            // The button is shown again before it takes the focus.
            flushSync(find.close);
            toggle.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function ComparedSegments({ transcript }: { readonly transcript: Correctable }) {
  const { language } = useOpenScript().script;
  return (
    <ol className="segment-list compared" aria-label="Corrected and original lines">
      {transcript.segments.map(({ start, text, original }, line) => (
        <li key={line}>
          <time>{duration(start)}</time>
          <p lang={language} dir="auto">
            {changedLetters(original, text).map((part, index) =>
              part.kind === "removed" ? (
                <del key={index}>{part.text}</del>
              ) : part.kind === "added" ? (
                <ins key={index}>{part.text}</ins>
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
