import { useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { isTyping } from "./is-typing.ts";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
}

/** "/" focuses it from anywhere on the page; Escape empties it. */
export function SearchField({ label, value, onChange, placeholder }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
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
