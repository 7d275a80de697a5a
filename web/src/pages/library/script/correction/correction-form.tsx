import { useBlocker } from "@tanstack/react-router";
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
} from "react";
import type { Output } from "@reelscript/client/core";
import { CorrectionLine } from "./correction-line.tsx";
import {
  countChanged,
  draftOf,
  placesInSecond,
  rebased,
  keepCorrection,
  keptCorrection,
  type Correctable,
  type CorrectionDraft,
  useSaveCorrection,
} from "./use-save-correction.ts";
import { Button } from "../../../../components/button.tsx";
import { ConfirmDialog } from "../../../../components/dialog.tsx";
import { ErrorNote, Note, SkeletonRows } from "../../../../components/page.tsx";
import { counted } from "../../../../format.ts";
import { useOperation } from "../../../../api/use-operation.ts";

interface Props {
  readonly accountId: string;
  readonly script: Output<"getScript">;
  readonly found: Correctable;
  /** The segment that was chosen begins there; writing begins in it. */
  readonly second: number | undefined;
  readonly onClose: () => void;
}

function CorrectionForm({ accountId, script, found, second, onClose }: Props) {
  const [kept] = useState(() => keptCorrection(accountId, script.id));
  const [draft, setDraft] = useState(() => (kept && rebased(kept, found)) ?? kept ?? draftOf(found));
  const [leaving, setLeaving] = useState(false);
  const form = useFirstField(
    Math.max(
      0,
      found.segments.findIndex(({ start }) => start === second),
    ),
    second !== undefined,
  );
  const saving = useSaveCorrection({ id: script.id, accountId }, setDraft, onClose);
  const changed = countChanged(draft);
  const isKept = useRef(true);
  useEffect(() => {
    isKept.current = keepCorrection(accountId, script.id, changed > 0 ? draft : undefined);
  }, [accountId, script.id, draft, changed]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current: here, next }) => changed > 0 && !saving.isDone() && here.pathname !== next.pathname,
    enableBeforeUnload: () => changed > 0 && !isKept.current && !saving.isDone(),
    withResolver: true,
  });
  const discard = (): void => {
    keepCorrection(accountId, script.id, undefined);
    if (blocker.status === "blocked") blocker.proceed();
    else onClose();
  };

  const onText = useCallback((index: number, text: string) => {
    setDraft((before) => ({ ...before, texts: before.texts.with(index, text) }));
  }, []);
  const save = (): void => (changed === 0 ? onClose() : saving.save(draft));
  const cancel = (): void => (changed === 0 ? onClose() : setLeaving(true));
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
    }
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields */}
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
          isRestored={kept !== undefined}
          saving={saving}
          onSave={save}
          onCancel={cancel}
        />
        <Lines draft={draft} language={script.language} readOnly={saving.isSaving} onText={onText} />
        <p className="hint">An empty line is removed. Only your library has the correction; the original is kept.</p>
      </form>
      <ConfirmDialog
        open={leaving || blocker.status === "blocked"}
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
    </>
  );
}

type LinesProps = Pick<ComponentProps<typeof CorrectionLine>, "language" | "readOnly" | "onText">;

function Lines({ draft: { base, texts }, ...line }: LinesProps & { readonly draft: CorrectionDraft }) {
  const places = useMemo(() => placesInSecond(base), [base]);
  return (
    <ol className="segment-list correcting">
      {base.segments.map(({ start, original }, index) => (
        <CorrectionLine
          key={index}
          index={index}
          start={start}
          place={places[index]}
          text={texts[index] ?? ""}
          original={original}
          {...line}
        />
      ))}
    </ol>
  );
}

/** Where writing begins is decided once. */
function useFirstField(index: number, scrolls: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const begin = useEffectEvent(() => {
    const field = form.current?.querySelectorAll("textarea")[index];
    field?.focus({ preventScroll: !scrolls });
    field?.setSelectionRange(field.value.length, field.value.length);
  });
  useEffect(() => begin(), []);
  return form;
}

interface ToolsProps {
  readonly changed: number;
  readonly isRestored: boolean;
  readonly saving: ReturnType<typeof useSaveCorrection>;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

function CorrectionTools({ changed, isRestored, saving, onSave, onCancel }: ToolsProps) {
  const { isSaving, conflict, error } = saving;
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
        {isRestored && changed > 0 && conflict === undefined && (
          <Note icon="check" live>
            Your unsaved changes are back.
          </Note>
        )}
        {conflict === "merged" && (
          <Note kind="warn" icon="warn" live>
            Someone saved other changes in the meantime. They’re below together with yours. Where both changed a line,
            you see yours. Save again to keep it.
          </Note>
        )}
        {conflict === "replaced" && (
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

interface EditorProps {
  readonly script: Output<"getScript">;
  readonly second: number | undefined;
  readonly onClose: () => void;
}

export function CorrectionEditor({ script, second, onClose }: EditorProps) {
  const { data, error, isFetchedAfterMount, refetch } = useOperation(
    "getScriptCorrection",
    { id: script.id },
    { staleTime: 0 },
  );
  const accountId = useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY }).data?.account.id;
  if (error && !data)
    return (
      <div className="stack">
        <ErrorNote error={error} onRetry={() => void refetch()} />
        <Button onClick={onClose}>Cancel</Button>
      </div>
    );
  // What is known from before may be old, and writing begins once.
  if (!data || !isFetchedAfterMount || accountId === undefined)
    return <SkeletonRows label="Loading the text" count={3} />;
  return <CorrectionForm accountId={accountId} script={script} found={data} second={second} onClose={onClose} />;
}
