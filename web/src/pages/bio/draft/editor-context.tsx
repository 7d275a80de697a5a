import { useState, type ComponentProps, createContext, use } from "react";
import { hasAtMost, visibleLength } from "@reelscript/contract/values";
import { Input } from "../../../components/field.tsx";
import type { BioContent } from "@reelscript/contract";

interface Props extends Omit<ComponentProps<typeof Input>, "onChange" | "value" | "name" | "hint"> {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly tidy?: (text: string) => string;
  /** Says what `tidy` made of the typed text. */
  readonly meaning?: (tidied: string) => string | undefined;
  readonly hint?: string;
  readonly longest?: number;
}

/** Waits until a pressed pointer is released: if an error message moved the button under it, the click would be lost. */
function afterPress(action: () => void): void {
  if (document.querySelector(":active") === null) return action();
  const done = new AbortController();
  const end = (): void => {
    done.abort();
    setTimeout(action);
  };
  for (const event of ["pointerup", "pointercancel"]) window.addEventListener(event, end, { signal: done.signal });
}

/** From this share of the allowed characters on, they are counted. */
const countedFrom = 0.75;

/** Shows problems when the field is left, not while somebody is typing. */
export function CheckedInput({ name, value, onChange, tidy, meaning, hint, longest, ...rest }: Props) {
  const { problems, strict } = useEditor();
  const [left, setLeft] = useState(false);
  const [tidiedValue, setTidiedValue] = useState<string>();
  const problem = problems.get(name);
  const shownMeaning = tidiedValue === value && problem === undefined ? meaning?.(value) : undefined;
  const length = visibleLength(value);
  const count = longest === undefined || length < countedFrom * longest ? undefined : `${length} of ${longest}`;
  return (
    <Input
      {...rest}
      name={name}
      value={value}
      hint={[hint, count, shownMeaning].filter(Boolean).join(" ") || undefined}
      error={left || strict || (longest !== undefined && !hasAtMost(value, longest)) ? problem : undefined}
      onChange={(event) => {
        if (problem === undefined) setLeft(false);
        onChange(event.target.value);
      }}
      onBlur={() => {
        const tidied = tidy?.(value) ?? value;
        afterPress(() => {
          setLeft(true);
          if (tidied !== value) setTidiedValue(tidied);
        });
        if (tidied !== value) onChange(tidied);
      }}
    />
  );
}

export interface Editor {
  readonly content: BioContent;
  readonly published: BioContent;
  /** Consecutive edits with the same `topic` are one undo step. */
  readonly edit: (change: (content: BioContent) => BioContent, topic?: string) => void;
  readonly problems: ReadonlyMap<string, string>;
  readonly strict: boolean;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (editor === undefined) throw new Error("there is no editor around this part");
  return editor;
}

export function focusField(name: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus());
}
