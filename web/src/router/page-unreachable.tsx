import { useEffect, useSyncExternalStore } from "react";
import { Button } from "../components/button.tsx";
import { Note } from "../components/note.tsx";
import { showToast } from "../components/toast.tsx";

const pauseMilliseconds = 5_000;

/** Stands where a page would that could not be loaded; loads it as soon as the service answers. */
export function PageUnreachable() {
  useEffect(() => {
    const timer = setInterval(() => void loadIfReachable(), pauseMilliseconds);
    void loadIfReachable();
    return () => clearInterval(timer);
  }, []);
  const isOffline = useSyncExternalStore(watchConnection, () => !navigator.onLine);
  return (
    <div className="stack tight">
      <h1 tabIndex={-1}>{isOffline ? "You’re offline" : "Can’t reach Reelscript"}</h1>
      <Note kind="bad" icon="warn" live>
        {isOffline
          ? "This page will open when your connection is back."
          : "Check your connection. This page will open when Reelscript is back."}
      </Note>
      <p>
        <Button
          onClick={() =>
            void loadIfReachable().then(
              (loads) => loads || showToast("Still can’t reach Reelscript.", { failed: true }),
            )
          }
        >
          Try now
        </Button>
      </p>
    </div>
  );
}

async function loadIfReachable(): Promise<boolean> {
  const reachable = await isReachable();
  if (reachable) location.reload();
  return reachable;
}

function watchConnection(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

export const isReachable = async (): Promise<boolean> =>
  fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
