import { useBlocker } from "@tanstack/react-router";
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { useOpenScript } from "../open-script.ts";
import { CorrectionLine } from "./correction-line.tsx";
import {
  countChanged,
  draftOf,
  ranksInSecond,
  rebased,
  type Correctable,
  type CorrectionDraft,
  type CorrectionSaving,
  useSaveCorrection,
} from "./use-save-correction.ts";
import { Button } from "../../../../components/button.tsx";
import { ConfirmDialog } from "../../../../components/dialog.tsx";
import { ErrorNote, Note, SkeletonRows } from "../../../../components/page.tsx";
import { counted } from "../../../../format.ts";
import { useKeptDraft } from "../../../../api/kept-drafts.ts";
import { useAccountId, useOperation } from "../../../../api/use-operation.ts";

interface Props {
  readonly transcript: Correctable;
  readonly onClose: () => void;
}

const firstDraft = (keptDraft: CorrectionDraft | undefined, transcript: Correctable): CorrectionDraft =>
  (keptDraft && rebased(keptDraft, transcript)) ?? keptDraft ?? draftOf(transcript);

function CorrectionForm({ transcript, onClose }: Props) {
  const { script } = useOpenScript();
  const [keptDraft, keep] = useKeptDraft<CorrectionDraft>("corrections", script.id);
  const [draft, setDraft] = useState(() => firstDraft(keptDraft, transcript));
  const [leaving, setLeaving] = useState(false);
  const form = useFirstField(transcript);
  const saving = useSaveCorrection(script.id);
  const changed = countChanged(draft);
  const isKept = useRef(true);
  const keepLatest = useEffectEvent(() => {
    isKept.current = keep(changed > 0 ? draft : undefined);
  });
  useEffect(() => keepLatest(), [draft]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current: here, next }) => changed > 0 && here.pathname !== next.pathname,
    enableBeforeUnload: () => changed > 0 && !isKept.current,
    withResolver: true,
  });
  const discard = (): void => {
    keep(undefined);
    if (blocker.status === "blocked") blocker.proceed();
    else onClose();
  };
  const save = (): void => {
    if (changed === 0) return onClose();
    saving.save(draft, {
      onSuccess(outcome) {
        if (outcome.kind === "saved") onClose();
        if (outcome.kind === "merged") setDraft(outcome.draft);
      },
    });
  };
  const cancel = (): void => (changed === 0 ? onClose() : setLeaving(true));
  const onKey = (event: KeyboardEvent): void => {
    const isSave = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (event.nativeEvent.isComposing || !(isSave || event.key === "Escape")) return;
    event.preventDefault();
    if (isSave) save();
    else cancel();
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its fields */}
      <form
        ref={form}
        aria-label="Correct the transcript"
        onKeyDown={onKey}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <CorrectionTools
          changed={changed}
          isRestored={keptDraft !== undefined}
          saving={saving}
          onSave={save}
          onCancel={cancel}
        />
        <Lines draft={draft} language={script.language} readOnly={saving.isSaving} onDraft={setDraft} />
        <p className="hint">An empty line is removed. Only your library has the correction; the original is kept.</p>
      </form>
      {(leaving || blocker.status === "blocked") && (
        <ConfirmDialog
          title="Discard your changes?"
          onClose={() => {
            setLeaving(false);
            blocker.reset?.();
          }}
          onConfirm={discard}
          keep="Keep editing"
          action="Discard changes"
        >
          They aren’t saved yet.
        </ConfirmDialog>
      )}
    </>
  );
}

interface LinesProps {
  readonly language: string | undefined;
  readonly readOnly: boolean;
  readonly draft: CorrectionDraft;
  readonly onDraft: Dispatch<(before: CorrectionDraft) => CorrectionDraft>;
}

function Lines({ draft: { base, texts }, onDraft, ...line }: LinesProps) {
  const onText = useCallback(
    (index: number, text: string) => onDraft((before) => ({ ...before, texts: before.texts.with(index, text) })),
    [onDraft],
  );
  const ranks = useMemo(() => ranksInSecond(base), [base]);
  return (
    <ol className="segment-list correcting">
      {base.segments.map(({ start, original }, index) => (
        <CorrectionLine
          key={index}
          index={index}
          start={start}
          rank={ranks[index]}
          text={texts[index] ?? ""}
          original={original}
          onText={onText}
          {...line}
        />
      ))}
    </ol>
  );
}

/** Editing starts in the chosen segment, which is determined only once. */
function useFirstField({ segments }: Correctable): RefObject<HTMLFormElement | null> {
  const { script, current } = useOpenScript();
  const form = useRef<HTMLFormElement>(null);
  const begin = useEffectEvent(() => {
    const currentStart = current && script.segments[current.line]?.start;
    const first = segments.findIndex(({ start }) => start === currentStart);
    const field = form.current?.querySelectorAll("textarea")[Math.max(0, first)];
    field?.focus({ preventScroll: currentStart === undefined });
    field?.setSelectionRange(field.value.length, field.value.length);
  });
  useEffect(() => begin(), []);
  return form;
}

interface ToolsProps {
  readonly changed: number;
  readonly isRestored: boolean;
  readonly saving: CorrectionSaving;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

function CorrectionTools({ changed, isRestored, saving, onSave, onCancel }: ToolsProps) {
  const { isSaving, outcome, error } = saving;
  return (
    <>
      <div className="tools saving row wrap">
        <Button kind="ink" type="submit" busy={isSaving && "Saving…"}>
          Save changes
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <span className="meta" role="status">
          {changed === 0 ? "No changes yet" : `${counted(changed, "line", "lines")} changed`}
        </span>
        <span className="meta row keys at-end">
          <kbd>Enter</kbd> next line <kbd>Ctrl Enter</kbd> save <kbd>Esc</kbd> cancel
        </span>
      </div>
      <div className="stack tight">
        {isRestored && changed > 0 && outcome === undefined && (
          <Note icon="check" live>
            Your unsaved changes are back.
          </Note>
        )}
        {outcome === "merged" && (
          <Note kind="warn" icon="warn" live>
            Someone saved other changes in the meantime. They’re below together with yours. Where both changed a line,
            you see yours. Save again to keep it.
          </Note>
        )}
        {outcome === "replaced" && (
          <Note kind="warn" icon="warn" live>
            This reel was transcribed again, so the lines are different now. Copy what you need, then cancel and start
            over.
          </Note>
        )}
        <ErrorNote error={error} onRetry={onSave}>
          Your changes are still here.
        </ErrorNote>
      </div>
    </>
  );
}

export function CorrectionEditor({ onClose }: { readonly onClose: () => void }) {
  const { script } = useOpenScript();
  const { data, error, isFetchedAfterMount, refetch } = useOperation(
    "getScriptCorrection",
    { id: script.id },
    { staleTime: 0 },
  );
  const isKnown = useAccountId() !== undefined;
  if (error && !data)
    return (
      <div className="stack">
        <ErrorNote error={error} onRetry={() => void refetch()} />
        <Button onClick={onClose}>Cancel</Button>
      </div>
    );
  // A cached text may be old, and editing reads it only once.
  if (!data || !isFetchedAfterMount || !isKnown) return <SkeletonRows label="Loading the text" count={3} />;
  return <CorrectionForm transcript={data} onClose={onClose} />;
}
