import { getRouteApi } from "@tanstack/react-router";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Avatar } from "../../components/inline.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { ErrorNote, Note } from "../../components/page.tsx";
import { AlonePage } from "../../shell/brand.tsx";
import { useState } from "react";

/** The extension reads the response from the address of the tab that it opened, after the #, which browsers don't send. */
const doneAddress = (answer: Readonly<Record<string, string>>): string =>
  `/app/connect/done#${new URLSearchParams(answer)}`;

const route = getRouteApi("/connect");

export function ConnectPage() {
  const { challenge, state } = route.useSearch();
  return (
    <AlonePage title="Connect the extension">
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
  // A new document, because the extension watches the address of this tab.
  const approve = useChange("approveExtension", {
    onDone: ({ code }) => location.replace(doneAddress({ code, state })),
  });
  const handedOver = approve.isPending || approve.isSuccess;
  return (
    <>
      <p className="subtitle">The Reelscript extension in this browser asks to use your account:</p>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {data && (
        <p className="row connect-account">
          <Avatar name={data.account.name ?? data.account.email} />
          <b>{data.account.email}</b>
        </p>
      )}
      <ul className="points">
        <li>Create reports from the reels it collects. They count as posts analyzed.</li>
        <li>Transcribe reels. New ones count as transcriptions.</li>
        <li>Read your library and your usage.</li>
      </ul>
      <p className="hint">
        It can’t change your plan, keys, bio page or settings. Continue only if you just chose Connect in the extension.
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
          Connect
        </Button>
        <Button
          size="large"
          disabled={handedOver}
          onClick={() => location.replace(doneAddress({ error: "denied", state }))}
        >
          Cancel
        </Button>
      </div>
      <p className="hint">You can disconnect it anytime under Settings, Sessions.</p>
    </>
  );
}

/** Shown in the tab after the extension got its response. */
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
