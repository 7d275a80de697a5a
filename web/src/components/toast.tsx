import { useEffect, useState } from "react";
import { createStore } from "../api/create-store.ts";
import { Icon } from "./icon.tsx";

interface Toast extends Options {
  readonly id: number;
  readonly text: string;
}

interface Options {
  readonly undo?: (() => void) | undefined;
  readonly failed?: boolean;
}

export const toastStore = createStore<Toast | undefined>(undefined);
let last = 0;

/** Says at the bottom what was done, for 4 s; for 10 s that it failed, or with `undo`, which takes it back. One at a time, the newest. */
export function showToast(text: string, options: Options = {}): void {
  toastStore.set({ id: (last += 1), text, ...options });
}

export const hideToast = (id: number): void => {
  if (toastStore.current()?.id === id) toastStore.set(undefined);
};

const shownMilliseconds = 4_000;
/** Where there is something to decide, or to read that nobody expected. */
const longMilliseconds = 10_000;

export function ToastRegion() {
  const toast = toastStore.useValue();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (toast === undefined || held) return undefined;
    const timer = setTimeout(
      () => hideToast(toast.id),
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
                toast.undo?.();
                setHeld(false);
                hideToast(toast.id);
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
