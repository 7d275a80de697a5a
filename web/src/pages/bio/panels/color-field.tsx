import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import type { ColorHint } from "../draft/color-hints.ts";
import { isHexColor } from "../draft/problems-of.ts";
import { useEditor } from "../editor-context.ts";

interface Props {
  readonly label: string;
  readonly name: string;
  /** null: the look's own. */
  readonly value: string | null;
  readonly own: string;
  readonly hint?: ColorHint | undefined;
  readonly clearable?: boolean;
  readonly onChange: (value: string | null) => void;
}

export function ColorField({ label, name, value, own, hint, clearable = true, onChange }: Props) {
  const { problems, strict } = useEditor();
  const [left, setLeft] = useState(false);
  const wrong = value !== null && !isHexColor(value);
  const problem = wrong && (left || strict) ? (problems.get(name) ?? "Use six digits, such as #b8371a.") : undefined;
  const shade = longHex(value !== null && !wrong ? value : own);
  const better = hint?.better;
  const told = hint && (
    <span>
      {hint.message}{" "}
      {better && (
        <button type="button" className="link" onClick={() => onChange(better)}>
          Try {better}
        </button>
      )}
    </span>
  );
  return (
    <Field label={label} error={problem ?? told}>
      {(wiring) => (
        <div className="row color">
          <input
            type="color"
            aria-label={`${label}, picker`}
            value={shade}
            onChange={(event) => onChange(event.target.value)}
          />
          <input
            {...wiring}
            className="input"
            name={name}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            maxLength={16}
            value={value ?? ""}
            placeholder={own}
            onChange={(event) => {
              if (!wrong) setLeft(false);
              onChange(event.target.value || (clearable ? null : ""));
            }}
            onBlur={() => {
              setLeft(true);
              const tidied = value?.trim().replace(/^#?(?=(?:[\da-f]{3}){1,2}$)/i, "#");
              if (tidied !== undefined && tidied !== value) onChange(tidied);
            }}
          />
          {clearable && value !== null && (
            <Button kind="ghost" size="small" icon="close" iconOnly onClick={() => onChange(null)}>
              {`${label} of the look`}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

const longHex = (color: string): string => (color.length === 4 ? color.replaceAll(/[\da-f]/gi, "$&$&") : color);
