import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/note.tsx";
import { PageUnreachable } from "./page-unreachable.tsx";

/** Stands where the page would: what happened, was it counted, what now. */
export function PageError({ error }: ErrorComponentProps) {
  if (error instanceof ApiError && error.code === "unreachable") return <PageUnreachable />;
  return (
    <div className="stack t">
      <h1 tabIndex={-1}>This page broke</h1>
      <Note kind="bad" icon="warn">
        The fault is ours. Nothing was counted or lost on the server; what you had typed here may be gone.
      </Note>
      <p>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </p>
      <details className="meta">
        <summary>What to tell us if it stays</summary>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </details>
    </div>
  );
}
