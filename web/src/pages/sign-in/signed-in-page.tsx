import { useEffect } from "react";
import { showPerson } from "../../api/one-person.ts";
import { announceSignIn } from "../../api/session-end.ts";
import { useOperation } from "../../api/use-operation.ts";
import { ErrorNote } from "../../components/page.tsx";
import { LinkButton } from "../../components/button.tsx";
import { AlonePage } from "../../components/brand.tsx";

export function SignedInPage() {
  const { data, error, refetch } = useOperation("getSession", {}, { staleTime: 0 });
  const id = data?.account.id;
  useEffect(() => {
    if (id === undefined) return;
    showPerson(id);
    announceSignIn(id);
  }, [id]);
  return (
    <AlonePage title={id === undefined ? "Signing in…" : "You’re signed in"} windowTitle="Signed in">
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {id !== undefined && (
        <>
          <p className="subtitle">Return to the other tab. You can close this one.</p>
          <div className="row wrap">
            <LinkButton to="/library">Open the library</LinkButton>
          </div>
        </>
      )}
    </AlonePage>
  );
}
