import { getRouteApi } from "@tanstack/react-router";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { ErrorNote, Note } from "../../components/page.tsx";
import { AlonePage } from "../../components/brand.tsx";
import { useState } from "react";

/** The extension reads the response after the # in the address of the tab that it opened; browsers don't send that part. */
const doneAddress = (answer: Readonly<Record<string, string>>): string =>
  `/app/connect/done#${new URLSearchParams(answer)}`;

const route = getRouteApi("/connect");

export function ConnectPage() {
  const { challenge, state } = route.useSearch();
  return (
    <AlonePage title="Connect the Reelscript extension?">
      {challenge === undefined || state === undefined ? (
        <Note kind="warn" icon="warn">
          This link is incomplete. Open the Reelscript extension and choose Connect there.
        </Note>
      ) : (
        <Approval challenge={challenge} state={state} />
      )}
    </AlonePage>
  );
}

function Approval({ challenge, state }: { readonly challenge: string; readonly state: string }) {
  const { data, error, refetch } = useOperation("getSession", {}, { staleTime: 0 });
  // Loads a new document, because the extension watches this tab's address.
  const approve = useChange("approveExtension", {
    onDone: ({ code }) => location.replace(doneAddress({ code, state })),
  });
  const handedOver = approve.isPending || approve.isSuccess;
  return (
    <>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <p>
        <b>The Reelscript extension</b> in this browser asks to use Reelscript
        {data && (
          <>
            {" as "}
            <b>{data.account.email}</b>
          </>
        )}
        .
      </p>
      <p>
        It may: see your library and usage; create reports from the reels it collects, which use your analyzed posts;
        transcribe reels, which uses your quota.
      </p>
      <p className="hint">
        Allow it only if you just chose Connect in the extension. You can disconnect it under Settings, Sessions.
      </p>
      <ErrorNote error={approve.error} onRetry={() => approve.mutate({ challenge })} />
      <div className="row wrap">
        <Button
          kind="ink"
          size="large"
          disabled={data === undefined}
          busy={handedOver && "Connecting…"}
          onClick={() => approve.mutate({ challenge })}
        >
          Allow
        </Button>
        <Button
          size="large"
          disabled={handedOver}
          onClick={() => location.replace(doneAddress({ error: "denied", state }))}
        >
          Don’t allow
        </Button>
      </div>
    </>
  );
}

/** Shown in the tab after the extension received its response. */
export function ConnectedPage() {
  const [approved] = useState(() => new URLSearchParams(location.hash.slice(1)).has("code"));
  return (
    <AlonePage title={approved ? "Return to the extension" : "Not connected"}>
      <p className="subtitle">
        {approved
          ? "You approved the connection, and the extension is finishing it. You can close this tab."
          : "The extension has no access to your account. You can close this tab."}
      </p>
      <div className="row wrap">
        <LinkButton to="/settings/sessions">See your sessions</LinkButton>
      </div>
    </AlonePage>
  );
}
