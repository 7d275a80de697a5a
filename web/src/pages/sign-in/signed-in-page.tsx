import { useEffect } from "react";
import { showPerson } from "../../api/one-person.ts";
import { announceSignIn } from "../../api/session-end.ts";
import { useOperation } from "../../api/use-operation.ts";
import { ErrorNote } from "../../components/error-note.tsx";
import { LinkButton } from "../../components/button.tsx";
import { usePageTitle } from "../../components/page-header.tsx";
import { Brand } from "../../shell/brand.tsx";

/** Where signing in again ends, in a tab of its own; the tab that waits hears of it. */
export function SignedInPage() {
  const { data, error, refetch } = useOperation("getSession", {}, { staleTime: 0 });
  const id = data?.account.id;
  usePageTitle("Signed in");
  useEffect(() => {
    if (id === undefined) return;
    showPerson(id);
    announceSignIn(id);
  }, [id]);
  return (
    <div className="alone connect">
      <header>
        <Brand />
      </header>
      <main id="main">
        <h1 tabIndex={-1}>{id === undefined ? "Signing in…" : "You’re signed in"}</h1>
        <ErrorNote error={error} onRetry={() => void refetch()} />
        {id !== undefined && (
          <>
            <p className="subtitle">Return to the other tab. You can close this one.</p>
            <div className="row wrap">
              <LinkButton kind="quiet" to="/library">
                Open the library
              </LinkButton>
            </div>
          </>
        )}
      </main>
    </div>
  );
}
