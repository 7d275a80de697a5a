import { memo, useId, type KeyboardEvent } from "react";
import { Button } from "../../../../components/button.tsx";
import { duration } from "../../../../format.ts";

interface Props {
  readonly index: number;
  readonly start: number;
  readonly rank: string | undefined;
  readonly text: string;
  readonly original: string;
  readonly language: string | undefined;
  readonly readOnly: boolean;
  readonly onText: (index: number, text: string) => void;
}

/** One editable segment. A page has many, and only the changed one is rendered again. */
export const CorrectionLine = memo(function CorrectionLine(props: Props) {
  const { index, start, rank, text, original, language, readOnly, onText } = props;
  const field = useId();
  const differs = text.trim() !== original;
  return (
    <li>
      <time>{duration(start)}</time>
      <div className="stack tight">
        <label className="visually-hidden" htmlFor={field}>
          Text at {duration(start)}
          {rank !== undefined && `, ${rank}`}
        </label>
        <textarea
          id={field}
          className="input"
          rows={1}
          lang={language}
          dir="auto"
          spellCheck
          readOnly={readOnly}
          value={text}
          onChange={({ target }) => onText(index, target.value)}
          onKeyDown={moveOn}
        />
        {differs && (
          <div className="was">
            <span className="visually-hidden">Original: </span>
            <p lang={language} dir="auto">
              <del>{original}</del>
            </p>
            <Button kind="ghost" size="small" icon="undo" disabled={readOnly} onClick={() => onText(index, original)}>
              Use original
            </Button>
          </div>
        )}
      </div>
    </li>
  );
});

/** A segment is one line: Enter moves to the next one, Shift+Enter to the previous one. */
function moveOn(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const form = event.currentTarget.form;
  if (form === null) return;
  const fields = [...form.querySelectorAll("textarea")];
  const next = fields[fields.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)];
  if (next === undefined) {
    if (!event.shiftKey) form.querySelector<HTMLElement>('button[type="submit"]')?.focus();
    return;
  }
  next.focus();
  next.setSelectionRange(next.value.length, next.value.length);
}
