import { useEffect, useState, useSyncExternalStore } from "react";
import { Icon } from "../icon.tsx";
import { hideToast, toastStore } from "./toast.ts";

const shownMilliseconds = 4_000;

/** Stays as long as somebody points at it or is in it. */
export function ToastRegion() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (toast === undefined || held) return undefined;
    const timer = setTimeout(() => hideToast(toast.id), shownMilliseconds);
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
        <div className="toast" key={toast.id}>
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
