import { useBlocker } from "@tanstack/react-router";
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import type { Output } from "../../../../api/operation-types.ts";
import { CorrectionLine } from "./correction-line.tsx";
import { CorrectionTools } from "./correction-tools.tsx";
import {
  countChanged,
  draftOf,
  placesInSecond,
  rebased,
  type Correctable,
  type CorrectionDraft,
} from "./correction-draft.ts";
import { keepCorrection, keptCorrection } from "./kept-correction.ts";
import { DiscardDialog } from "./discard-dialog.tsx";
import { useSaveCorrection } from "./use-save-correction.ts";

interface Props {
  readonly accountId: string;
  readonly script: Output<"getScript">;
  readonly found: Correctable;
  /** The segment that was chosen begins there; writing begins in it. */
  readonly second: number | undefined;
  readonly onClose: () => void;
}

/** Saving and leaving by keys and buttons; nothing that was written is lost without a word. */
export function CorrectionForm({ accountId, script, found, second, onClose }: Props) {
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
          isSaving={saving.isSaving}
          isRestored={kept !== undefined}
          conflict={saving.conflict}
          error={saving.error}
          onSave={save}
          onCancel={cancel}
        />
        <Lines draft={draft} language={script.language} readOnly={saving.isSaving} onText={onText} />
        <p className="hint">An empty line is removed. Only your library has the correction; the original is kept.</p>
      </form>
      <DiscardDialog
        open={leaving || blocker.status === "blocked"}
        onKeep={() => {
          setLeaving(false);
          blocker.reset?.();
        }}
        onDiscard={discard}
      />
    </>
  );
}

interface LinesProps {
  readonly draft: CorrectionDraft;
  readonly language: string | undefined;
  readonly readOnly: boolean;
  readonly onText: (index: number, text: string) => void;
}

function Lines({ draft: { base, texts }, ...line }: LinesProps) {
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
