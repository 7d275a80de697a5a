import { useEffect, useEffectEvent } from "react";

/** Ctrl+Z and Ctrl+Shift+Z, except in fields of text, which undo their letters themselves. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y") || undoesItself(event.target))
      return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

const unwritten: ReadonlySet<string> = new Set(["checkbox", "radio", "color", "button", "range"]);

const undoesItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !unwritten.has(target.type));
