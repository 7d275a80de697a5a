import { correctionLimits } from "@reelscript/contract/values";
import { useEffect, useMemo, useRef, useState } from "react";
import { downloadAddress } from "../../../api/operation-address.ts";
import { useOperation } from "../../../api/use-operation.ts";
import type { Output } from "../../../api/operation-types.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { AnchorButton } from "../../../components/link-button.tsx";
import { Note } from "../../../components/note.tsx";
import { counted } from "../../../format/number.ts";
import { ComparedSegments } from "./correction/compared-segments.tsx";
import { CorrectionEditor } from "./correction/correction-editor.tsx";
import { CorrectionNote } from "./correction/correction-note.tsx";
import { keptCorrection } from "./correction/kept-correction.ts";
import { FindBar } from "./find-bar.tsx";
import { ReceiptNote } from "./receipt-note.tsx";
import { countWords } from "./script-words.ts";
import { SegmentList } from "./segment-list.tsx";
import { TranscribeAgain } from "./transcribe-again.tsx";
import { useFind } from "./use-find.ts";
import type { MomentOf } from "./word-moments.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly current: number | undefined;
  /** What led here from the library; found again here. */
  readonly query: string | undefined;
  readonly momentOf: MomentOf;
  readonly onChoose: (second: number) => void;
}

type Mode = "read" | "compare" | "correct";

const forms = ["txt", "srt", "vtt"] as const;

/** What is said, to read, to compare with what was recognized, or to correct. */
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
  if (mode !== "correct") return <Reader {...props} mode={mode} onMode={setMode} takeFocus={corrected} />;
  return (
    <article aria-label="Transcript">
      <CorrectionEditor
        script={script}
        second={current === undefined ? undefined : script.segments[current]?.start}
        onClose={() => {
          setCorrected(true);
          setMode("read");
        }}
      />
    </article>
  );
}

interface ReaderProps extends Props {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Whether correcting led here, so that its button has the focus again. */
  readonly takeFocus: boolean;
}

function Reader({ script, current, query, momentOf, onChoose, mode, onMode, takeFocus }: ReaderProps) {
  const { id, segments, transcript } = script;
  const [times, setTimes] = useState(true);
  const edit = useRef<HTMLButtonElement>(null);
  const correction = useOperation("getScriptCorrection", { id }, { enabled: script.correctedAt !== undefined });
  const words = useMemo(() => countWords(transcript), [transcript]);
  const tooLong = tooLongToCorrect(script);
  const toggle = useRef<HTMLButtonElement>(null);
  const find = useFind({ script, current, query, momentOf, onChoose, onClosed: () => toggle.current?.focus() });
  useEffect(() => {
    if (takeFocus) edit.current?.focus({ preventScroll: true });
  }, [takeFocus]);
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
        {tooLong === undefined && (
          <Button ref={edit} kind="ghost" icon="edit" onClick={() => onMode("correct")}>
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
      {tooLong && (
        <Note icon="edit">
          <p>{tooLong}</p>
        </Note>
      )}
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
          momentOf={momentOf}
          onChoose={onChoose}
        />
      )}
      <div className="receipt">
        <ReceiptNote script={script} words={words} />
        {script.correctedAt === undefined && <TranscribeAgain script={script} />}
      </div>
    </article>
  );
}

/** Why a transcript can't be corrected; nobody should write first and learn it when saving. */
function tooLongToCorrect({ transcript, segments }: Output<"getScript">): string | undefined {
  const most = correctionLimits;
  if (transcript.length > most.characters)
    return `This transcript is too long to correct. You can correct up to ${counted(most.characters, "character", "characters")}.`;
  if (segments.length > most.segments)
    return `This transcript has too many lines to correct. You can correct up to ${counted(most.segments, "line", "lines")}.`;
  return undefined;
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
