import { useEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { exactNumber } from "../../../format/number.ts";

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly found: number;
  /** The match that is shown, from 0. */
  readonly active: number;
  readonly onMove: (step: 1 | -1) => void;
  readonly onClose: () => void;
  /** Whether the person asked for it just now. */
  readonly takeFocus: boolean;
}

/** Enter goes to the next place, Shift Enter to the one before, Escape closes. */
export function FindBar({ text, onText, found, active, onMove, onClose, takeFocus }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takeFocus) field.current?.select();
  }, [takeFocus]);
  const wanted = text.trim() !== "";
  return (
    <div className="find" role="search" aria-label="This script">
      <input
        ref={field}
        className="input"
        type="search"
        dir="auto"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="next"
        aria-label="Find in this script"
        placeholder="Find in this script"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") onMove(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onClose();
        }}
      />
      <span className="meta" role="status">
        {wanted && (found === 0 ? "No matches" : `${exactNumber(active + 1)} of ${exactNumber(found)}`)}
      </span>
      <Button kind="ghost" icon="up" iconOnly disabled={found === 0} onClick={() => onMove(-1)}>
        Previous match
      </Button>
      <Button kind="ghost" icon="down" iconOnly disabled={found === 0} onClick={() => onMove(1)}>
        Next match
      </Button>
      <Button kind="ghost" icon="close" iconOnly onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
