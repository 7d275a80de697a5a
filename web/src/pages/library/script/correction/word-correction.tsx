import { useEffect, useState, useRef } from "react";
import { showToast } from "../../../../components/toast.tsx";
import { useOpenScript } from "../open-script.ts";
import type { PlacedWord } from "../placed-word.ts";
import type { EditedWord } from "../segment-list.tsx";
import {
  type Correctable,
  type CorrectionDraft,
  useSaveCorrection,
  staleByCorrection,
  takeBack,
} from "./use-save-correction.ts";
import { Button } from "../../../../components/button.tsx";
import { Note, ErrorNote } from "../../../../components/page.tsx";
import { exactNumber } from "../../../../format.ts";
import { useKeptDraft } from "../../../../api/kept-drafts.ts";
import { useChange } from "../../../../api/use-operation.ts";
import { ConfirmDialog } from "../../../../components/dialog.tsx";
import { Moment } from "../../../../components/inline.tsx";

interface Needs {
  readonly read: () => Promise<Correctable | undefined>;
  readonly onFailed: () => void;
}

interface EditorProps {
  /** The current spelling of the word. */
  readonly word: string;
  readonly isSaving: boolean;
  readonly onCancel: () => void;
  /** Also called if nothing was changed. */
  readonly onSave: (this: void, text: string) => void;
}

interface OtherOccurrencesProps {
  readonly from: string;
  readonly to: string;
  /** Occurrences that still have the old spelling. */
  readonly count: number;
  readonly isSaving: boolean;
  readonly onLeave: () => void;
  readonly onCorrect: () => void;
}

/** Corrects one word of the open script, and its other occurrences. */
interface WordCorrection {
  readonly begin: (line: number, word: PlacedWord) => void;
  readonly edited: EditedWord | undefined;
  /** `false` while no word is edited. */
  readonly editor: EditorProps | false;
  /** `false` if there is no other occurrence, or while a word is edited. */
  readonly others: OtherOccurrencesProps | false;
}

export function useWordCorrection({ read, onFailed }: Needs): WordCorrection {
  const { script } = useOpenScript();
  const [edited, setEdited] = useState<EditedWord>();
  const [changed, setChanged] = useState<{ readonly from: string; readonly to: string }>();
  const lines = script.segments.map(({ text }) => text.trim());
  const [, keep] = useKeptDraft<CorrectionDraft>("corrections", script.id);
  const saving = useSaveCorrection(script.id);

  async function save(change: (text: string, line: number) => string): Promise<void> {
    const base = await read();
    const draft = base && draftOf(base, lines, change);
    if (draft === undefined) {
      showToast("We couldn’t save that. Try again.", { failed: true });
      return;
    }
    keep(draft);
    saving.save(draft, {
      onSuccess: ({ kind }) => (kind === "saved" ? setEdited(undefined) : onFailed()),
      onError: onFailed,
    });
  }

  const begin = (line: number, { start, end }: PlacedWord): void => {
    const span = coreOf(lines[line] ?? "", start, end);
    if (saving.isSaving || span === undefined) return;
    setChanged(undefined);
    setEdited({ line, ...span });
    void read();
  };
  const word = edited && lines[edited.line]?.slice(edited.start, edited.end);
  const count = changed === undefined ? 0 : lines.flatMap((line) => line.match(wholeWords(changed.from)) ?? []).length;
  return {
    begin,
    edited,
    editor: word !== undefined && {
      word,
      isSaving: saving.isSaving,
      onCancel: () => setEdited(undefined),
      onSave(text) {
        if (edited === undefined || saving.isSaving) return;
        const to = text.trim();
        if (to === word) return setEdited(undefined);
        setChanged({ from: word, to });
        void save((line, index) =>
          index === edited.line ? `${line.slice(0, edited.start)}${to}${line.slice(edited.end)}` : line,
        );
      },
    },
    others: changed !== undefined &&
      count > 0 &&
      edited === undefined && {
        ...changed,
        count,
        isSaving: saving.isSaving,
        onLeave: () => setChanged(undefined),
        onCorrect: () => void save((line) => line.replaceAll(wholeWords(changed.from), () => changed.to)),
      },
  };
}

/** Removed lines aren't in the script; `undefined` if somebody changed the others meanwhile. */
function draftOf(
  base: Correctable,
  lines: readonly string[],
  change: (text: string, line: number) => string,
): CorrectionDraft | undefined {
  const filledSegments = base.segments.filter(({ text }) => text !== "");
  if (filledSegments.length !== lines.length || filledSegments.some(({ text }, line) => text !== lines[line]))
    return undefined;
  const changed = new Map(filledSegments.map((segment, line) => [segment, change(segment.text, line)]));
  return { base, texts: base.segments.map((segment) => changed.get(segment) ?? "") };
}

const letter = String.raw`[\p{L}\p{M}\p{N}]`;
const core = new RegExp(`${letter}(?:.*${letter})?`, "su");

/** A word without the punctuation around it; `undefined` if nothing is left. */
function coreOf(line: string, start: number, end: number): { start: number; end: number } | undefined {
  const match = core.exec(line.slice(start, end));
  return match ? { start: start + match.index, end: start + match.index + match[0].length } : undefined;
}

const wholeWords = (word: string): RegExp =>
  new RegExp(`(?<!${letter})${word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}(?!${letter})`, "gu");

export function WordEditor({ word, isSaving, onSave, onCancel }: EditorProps) {
  const { language } = useOpenScript().script;
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(word);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      className="word-input"
      aria-label={`Correct “${word}”`}
      lang={language}
      dir="auto"
      size={Math.max(2, text.length)}
      maxLength={200}
      spellCheck
      autoComplete="off"
      readOnly={isSaving}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => onSave(text)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") onSave(text);
        if (event.key === "Escape") onCancel();
      }}
    />
  );
}

export function OtherOccurrences({ from, to, count, isSaving, onCorrect, onLeave }: OtherOccurrencesProps) {
  return (
    <Note
      icon="edit"
      live
      actions={
        <>
          <Button size="small" busy={isSaving && "Correcting…"} onClick={onCorrect}>
            Also correct {exactNumber(count)} other “{from}”
          </Button>
          <Button kind="ghost" size="small" onClick={onLeave}>
            Leave {count === 1 ? "it" : "them"}
          </Button>
        </>
      }
    >
      <bdi>{from}</bdi> is now <bdi>{to || "removed"}</bdi>.
    </Note>
  );
}

interface NoteProps {
  readonly transcript: Correctable | undefined;
  readonly comparing: boolean;
  readonly onCompare: (comparing: boolean) => void;
}

export function CorrectionNote({ transcript, comparing, onCompare }: NoteProps) {
  const { id, correctedAt } = useOpenScript().script;
  const [asking, setAsking] = useState(false);
  const { mutate, error, isPending } = useChange("removeScriptCorrection", {
    stale: staleByCorrection,
    onDone: ({ version }) => {
      onCompare(false);
      const texts = transcript?.segments.map(({ text }) => text);
      // A newer transcript has different segments.
      const undo = transcript?.outdated === false && texts ? () => void takeBack(id, texts, version) : undefined;
      showToast("Original restored", { undo });
    },
  });
  const restore = (): void => {
    setAsking(false);
    mutate({ id, ifVersion: transcript?.version });
  };
  if (correctedAt === undefined) return undefined;
  return (
    <>
      <Note
        icon="edit"
        actions={
          <>
            <Button size="small" aria-pressed={comparing} onClick={() => onCompare(!comparing)}>
              Compare with original
            </Button>
            <Button
              kind="ghost"
              size="small"
              icon="undo"
              busy={isPending && "Restoring…"}
              disabled={transcript === undefined}
              onClick={() => (transcript?.outdated === true ? setAsking(true) : restore())}
            >
              Restore original
            </Button>
          </>
        }
      >
        You corrected this transcript on <Moment at={correctedAt} style="long" />.
        {transcript?.outdated === true && " The reel was transcribed again since; the original is now newer."}
      </Note>
      <ErrorNote error={error} onRetry={restore} />
      {asking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          onConfirm={restore}
          title="Use the newer transcript?"
          keep="Keep corrections"
          action="Delete corrections"
        >
          This reel was transcribed again after you corrected it. Your corrections don’t fit the new transcript and will
          be deleted. You can’t undo this.
        </ConfirmDialog>
      )}
    </>
  );
}
