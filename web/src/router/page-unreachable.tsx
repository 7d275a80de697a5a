import { useEffect } from "react";
import { isReachable } from "../api/is-reachable.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/note.tsx";
import { showToast } from "../components/toast.ts";

const pauseMilliseconds = 5_000;

/** Stands where a page would that could not be loaded; loads it as soon as the service answers. */
export function PageUnreachable() {
  useEffect(() => {
    const timer = setInterval(() => void loadIfReachable(), pauseMilliseconds);
    void loadIfReachable();
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="stack t">
      <h1 tabIndex={-1}>No answer</h1>
      <Note kind="bad" icon="warn" live>
        Reelscript did not answer. Check the connection. The page opens by itself when it is back.
      </Note>
      <p>
        <Button
          onClick={() =>
            void loadIfReachable().then((loads) => loads || showToast("Still no answer.", { failed: true }))
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
