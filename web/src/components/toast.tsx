import { useEffect, useState } from "react";
import { createStore } from "../api/create-store.ts";
import { Icon } from "./icon.tsx";

interface Toast extends Options {
  readonly id: number;
  readonly text: string;
}

interface Options {
  readonly undo?: (() => void) | undefined;
  /** Called when it can no longer be undone. */
  readonly onGone?: () => void;
  readonly failed?: boolean;
}

const store = createStore<Toast | undefined>(undefined);
let last = 0;

function replace(next: Toast | undefined): void {
  const gone = store.current();
  store.set(next);
  gone?.onGone?.();
}

/** Confirms an action at the bottom for 4 s; for 10 s if it failed or has `undo`. Shows only the newest. */
export function showToast(text: string, options: Options = {}): number {
  replace({ id: (last += 1), text, ...options });
  return last;
}

/** Undoes the toast's action while the toast is shown. */
export function undoToast(id: number | undefined): void {
  const toast = store.current();
  if (toast === undefined || toast.id !== id) return;
  store.set(undefined);
  toast.undo?.();
}

const shownMilliseconds = 4_000;
/** Longer, for a decision or unexpected news. */
const longMilliseconds = 10_000;

export function ToastRegion() {
  const toast = store.useValue();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (toast === undefined || held) return undefined;
    const timer = setTimeout(
      () => replace(undefined),
      toast.undo || toast.failed ? longMilliseconds : shownMilliseconds,
    );
    return () => clearTimeout(timer);
  }, [toast, held]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- holding on is no action of its own
    <div
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast && (
        <div className="toast row" key={toast.id}>
          <Icon name={toast.failed ? "warn" : "check"} small />
          <span>{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setHeld(false);
                undoToast(toast.id);
              }}
            >
              Undo
            </button>
          )}
        </div>
      )}
    </div>
  );
}
