import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/note.tsx";
import { PageUnreachable } from "./page-unreachable.tsx";

/** Stands where the page would: what happened, was it counted, what now. */
export function PageError({ error }: ErrorComponentProps) {
  if (error instanceof ApiError && error.code === "unreachable") return <PageUnreachable />;
  return (
    <div className="stack tight">
      <h1 tabIndex={-1}>Something went wrong</h1>
      <Note kind="bad" icon="warn">
        This is our error. You weren’t charged and your data is safe, but text you typed here may be lost.
      </Note>
      <p>
        <Button onClick={() => location.reload()}>Reload page</Button>
      </p>
      <details className="meta">
        <summary>Details for support</summary>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </details>
    </div>
  );
}
