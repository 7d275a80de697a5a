import { useEffect, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useKey } from "./use-key.ts";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
}

export function SearchField({ label, value, onChange, placeholder }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useKey("/", () => field.current?.select());
  return (
    <div className="search">
      <Icon name="search" />
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        ref={field}
        className="input"
        id={id}
        type="search"
        dir="auto"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={500}
        value={value}
        placeholder={placeholder}
        aria-keyshortcuts="/"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") onChange("");
        }}
      />
      {value === "" ? (
        <kbd className="hidden-when-narrow" aria-hidden="true">
          /
        </kbd>
      ) : (
        <span className="clear">
          <Button
            kind="ghost"
            size="small"
            icon="close"
            iconOnly
            onClick={() => {
              onChange("");
              field.current?.focus();
            }}
          >
            Clear search
          </Button>
        </span>
      )}
    </div>
  );
}

/** The last value that stayed unchanged for a moment; `first` until then. */
export function useRested<Value>(value: Value, first: Value, milliseconds: number): Value {
  const [rested, setRested] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}

/** People keep typing while a search runs; a pause this long starts one. */
export const pauseMilliseconds = 220;

/**
 * The text of a search field whose settled value is in the address. If the address changes from elsewhere (Back, a link), it
 * replaces the typed text; the echo of a value that settled here doesn't.
 */
export function useTypedQuery(query: string, onSettled: (query: string) => void) {
  const [typed, setTyped] = useState(query);
  const [seen, setSeen] = useState(query);
  const [requested, setSent] = useState<readonly string[]>([]);
  const settle = useRef(onSettled);
  useEffect(() => {
    settle.current = onSettled;
  });
  if (seen !== query) {
    setSeen(query);
    if (requested.includes(query)) setSent(requested.slice(requested.indexOf(query) + 1));
    else {
      setSent([]);
      setTyped(query);
    }
  }
  useEffect(() => {
    const text = typed.trim();
    if (text === query || requested.at(-1) === text) return undefined;
    const begin = (): void => {
      setSent((before) => [...before, text]);
      settle.current(text);
    };
    const timer = setTimeout(begin, text === "" ? 0 : pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, query, requested]);
  return [typed, setTyped] as const;
}
