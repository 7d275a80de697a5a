import { correctionLimits } from "@reelscript/contract/values";
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { downloadAddress } from "../../../api/call.ts";
import { useOperation } from "../../../api/use-operation.ts";
import type { Output } from "@reelscript/client/core";
import { Button, AnchorButton, CopyButton } from "../../../components/button.tsx";
import { Note } from "../../../components/page.tsx";
import { counted, duration } from "../../../format.ts";
import { CorrectionEditor } from "./correction/correction-form.tsx";
import { CorrectionNote, useWordCorrection, OtherPlaces, WordEditor } from "./correction/word-correction.tsx";
import { keptCorrection, type Correctable } from "./correction/use-save-correction.ts";
import { FindBar, useFind } from "./find-bar.tsx";
import { PlayButton, type Player } from "./player.tsx";
import { ReceiptNote, TranscribeAgain, UnsureWords } from "./transcript-notes.tsx";
import { countWords } from "./script-words.ts";
import { SegmentList } from "./segment-list.tsx";
import type { Moment, PlacedWord, ScriptMoments } from "./script-moments.ts";
import { changedLetters } from "./correction/changed-letters.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly current: Pick<Moment, "line" | "word"> | undefined;
  /** What led here from the library; found again here. */
  readonly query: string | undefined;
  readonly moments: ScriptMoments;
  readonly player: Player;
  readonly onChoose: (second: number) => void;
}

type Mode = "read" | "compare" | "correct";

const forms = ["txt", "srt", "vtt"] as const;

export function Transcript(props: Props) {
  const { script, current } = props;
  const accountId = useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY }).data?.account.id;
  const isKept = useMemo(
    () => accountId !== undefined && keptCorrection(accountId, script.id) !== undefined,
    [accountId, script.id],
  );
  const [chosen, setMode] = useState<Mode>();
  const mode = chosen ?? (isKept ? "correct" : "read");
  const [corrected, setCorrected] = useState(false);
  if (mode !== "correct")
    return <Reader {...props} accountId={accountId} mode={mode} onMode={setMode} takeFocus={corrected} />;
  return (
    <article aria-label="Transcript">
      <CorrectionEditor
        script={script}
        second={current === undefined ? undefined : script.segments[current.line]?.start}
        onClose={() => {
          setCorrected(true);
          setMode("read");
        }}
      />
    </article>
  );
}

interface ReaderProps extends Props {
  readonly accountId: string | undefined;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly takeFocus: boolean;
}

function Reader(props: ReaderProps) {
  const { script, current, query, moments, player, onChoose, accountId, mode, onMode, takeFocus } = props;
  const { id, transcript } = script;
  const [times, setTimes] = useState(true);
  const correct = useRef<HTMLButtonElement>(null);
  const correction = useOperation("getScriptCorrection", { id }, { enabled: script.correctedAt !== undefined });
  const words = useMemo(() => countWords(transcript), [transcript]);
  const isTooLong = script.segments.length > correctionLimits.segments;
  const toggle = useRef<HTMLButtonElement>(null);
  const correcting = useWordCorrection({
    script,
    accountId,
    read: async () => (await correction.refetch()).data,
    onFailed: () => onMode("correct"),
  });
  const find = useFind({
    script,
    current: current?.line,
    query,
    moments,
    onChoose,
    onClosed: () => toggle.current?.focus(),
  });
  const edit = (line: number, word: PlacedWord): void => {
    player.pause();
    correcting.begin(line, word);
  };
  useEffect(() => {
    if (takeFocus) correct.current?.focus({ preventScroll: true });
  }, [takeFocus]);
  return (
    <article aria-label="Transcript">
      <Tools
        script={script}
        words={words}
        player={player}
        times={times}
        onTimes={setTimes}
        edit={correct}
        onCorrect={isTooLong ? undefined : () => onMode("correct")}
        find={find}
        toggle={toggle}
      />
      {isTooLong && tooLong}
      {correcting.others && <OtherPlaces {...correcting.others} />}
      <CorrectionNote
        script={script}
        found={correction.data}
        comparing={mode === "compare"}
        onCompare={(comparing) => onMode(comparing ? "compare" : "read")}
      />
      {mode === "compare" && correction.data !== undefined ? (
        <ComparedSegments found={correction.data} language={script.language} />
      ) : (
        <SegmentList
          script={script}
          times={times}
          current={current}
          matches={find.matches}
          active={find.shown}
          moments={moments}
          isPlaying={player.isPlaying}
          onChoose={onChoose}
          onEdit={isTooLong ? undefined : edit}
          edited={correcting.edited}
          editor={correcting.editor && <WordEditor language={script.language} {...correcting.editor} />}
        />
      )}
      <div className="receipt stack">
        <UnsureWords script={script} moments={moments} onChoose={onChoose} />
        <ReceiptNote script={script} words={words} />
        {script.correctedAt === undefined && <TranscribeAgain script={script} />}
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
  readonly script: Output<"getScript">;
  readonly words: number;
  readonly player: Player;
  readonly times: boolean;
  readonly onTimes: (times: boolean) => void;
  readonly edit: RefObject<HTMLButtonElement | null>;
  readonly onCorrect: (() => void) | undefined;
  readonly find: ReturnType<typeof useFind>;
  readonly toggle: RefObject<HTMLButtonElement | null>;
}

function Tools({ script, words, player, times, onTimes, edit, onCorrect, find, toggle }: ToolsProps) {
  const { id, segments, transcript } = script;
  return (
    <div className="tools row wrap">
      <PlayButton player={player} />
      <CopyButton text={transcript} kind="ink" done={`Copied ${counted(words, "word", "words")}`}>
        Copy text
      </CopyButton>
      <span className="button-group" role="group" aria-label="Download">
        {forms.map((format, index) => (
          <AnchorButton
            key={format}
            {...(index === 0 && { icon: "download" as const })}
            href={downloadAddress("getScript", { id }, { format })}
            download
            aria-label={`Download ${format.toUpperCase()}`}
          >
            {format.toUpperCase()}
          </AnchorButton>
        ))}
      </span>
      {segments.length > 0 && (
        <Button kind="ghost" icon="clock" aria-pressed={times} onClick={() => onTimes(!times)}>
          Times
        </Button>
      )}
      {onCorrect && (
        <Button ref={edit} kind="ghost" icon="edit" onClick={onCorrect}>
          Correct
        </Button>
      )}
      <div className="at-end">
        <Button
          ref={toggle}
          kind="ghost"
          icon="search"
          iconOnly
          aria-expanded={find.bar !== undefined}
          onClick={find.open}
        >
          Find in this script
        </Button>
      </div>
      {find.bar && <FindBar {...find.bar} />}
    </div>
  );
}

interface ComparedSegmentsProps {
  readonly found: Correctable;
  readonly language: string | undefined;
}

function ComparedSegments({ found, language }: ComparedSegmentsProps) {
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
