import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Output } from "@reelscript/client/core";
import { useOperation, useChange } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader } from "../../components/page.tsx";
import { exactNumber } from "../../format.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { ExpiringKeys } from "../../components/notices.tsx";
import { keyEnd, keysAt } from "../../components/key-end.ts";
import { KeyTable, RevokeKeyDialog } from "./key-table.tsx";
import { CodeBlock, mcpCommand, transcribeCurl } from "./secret-dialog.tsx";
import { focusTitle } from "../../components/dialog.tsx";
import { Chip, Moment } from "../../components/inline.tsx";
import { showToast } from "../../components/toast.tsx";
import { Allowance, SettingsRow } from "./settings-tabs.tsx";

const variable = "$REELSCRIPT_API_KEY";

function FirstCall() {
  return (
    <>
      <section className="stack tight">
        <h2>ChatGPT, Claude and other programs</h2>
        <CodeBlock label="Address to paste into a program" code={`${location.origin}/mcp?auth=required`} />
        <p className="hint">
          Paste this address into the program, then press Allow on the page that opens. No key needed.
        </p>
      </section>
      <div className="stack tight">
        <div className="tiles first-calls">
          <section className="stack tight">
            <h2>First call</h2>
            <CodeBlock label="Request that transcribes a reel" code={transcribeCurl(location.origin, variable)} />
          </section>
          <section className="stack tight">
            <h2>In Claude Code</h2>
            <CodeBlock label="Command that adds the MCP server" code={mcpCommand(location.origin, variable)} />
          </section>
        </div>
        <p className="hint">
          Set the key as the environment variable <code>REELSCRIPT_API_KEY</code>. Other agents use the same address and
          header. For the rest, see the <a href="/docs">API docs</a>.
        </p>
      </div>
    </>
  );
}

const route = getRouteApi("/shell/settings/keys");

export function KeysPage() {
  const { data, error, refetch } = useOperation("listKeys", {}, { staleTime: 0 });
  const programs = useOperation("listPrograms", {}, { staleTime: 0 }).data?.programs ?? [];
  const { new: creating } = route.useSearch();
  const navigate = route.useNavigate();
  const setCreating = (isOpen: boolean): void =>
    void navigate({ search: isOpen ? { new: "key" } : {}, replace: true, resetScroll: false });
  const [revoking, setRevoking] = useState<Output<"listKeys">["keys"][number]>();
  const inUse = data && programs.length + data.keys.filter((key) => keyEnd(key) !== "expired").length;
  const allowance =
    data?.quotaScope === "account"
      ? "All keys share your plan’s quota."
      : "Each key has its own quota and rate limits.";
  return (
    <>
      <PageHeader title="API keys" sub={`For scripts, agents and the command line. ${allowance}`}>
        {inUse !== 0 && (
          <Allowance
            used={inUse}
            limit={data?.limit}
            full={`keys${programs.length > 0 ? " and programs" : ""}. Revoke one first.`}
            onCreate={() => setCreating(true)}
          >
            New key
          </Allowance>
        )}
      </PageHeader>
      {data && <ExpiringKeys keys={data.keys} />}
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {data === undefined && !error && <PendingLines count={3} label="Loading the keys" />}
      {data?.keys.length === 0 && (
        <EmptyState
          title="No keys yet"
          // The page's header has the button once a program uses a slot.
          {...(inUse === 0 && { kind: "ink", action: "Create a key", onAction: () => setCreating(true) })}
        >
          Use a key to connect a script, an agent or the command line.
        </EmptyState>
      )}
      {data && data.keys.length > 0 && (
        <KeyTable keys={data.keys} counted={data.quotaScope === "key"} onRevoke={setRevoking} />
      )}
      <ConnectedPrograms programs={programs} counted={data?.quotaScope === "key"} />
      {(data || error) && <FirstCall />}
      {creating && (
        <CreateKeyDialog onClose={() => setCreating(false)} replaced={data && replacedBy(data, programs.length)} />
      )}
      {revoking && <RevokeKeyDialog of={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

/** The first expired key, if no slot is free. */
function replacedBy({ keys, limit, quotaScope }: Output<"listKeys">, programs: number) {
  if (keys.length + programs < limit) return undefined;
  const [first] = keysAt("expired", keys);
  return first && { name: first.name, used: quotaScope === "key" ? first.transcriptions.used : 0 };
}

interface Props {
  readonly programs: Output<"listPrograms">["programs"];
  /** True if each key has its own quota. */
  readonly counted: boolean;
}

function ConnectedPrograms({ programs, counted }: Props) {
  const disconnect = useChange("disconnectProgram", {
    stale: ["listPrograms"],
    onDone: () => {
      showToast("Program disconnected");
      focusTitle();
    },
  });
  if (programs.length === 0) return null;
  return (
    <section aria-labelledby="programs">
      <h2 id="programs">Connected programs</h2>
      <p className="subtitle">Each takes the place of a key. Disconnect any you don’t recognize.</p>
      <ErrorNote error={disconnect.error} />
      <ul className="sessions" aria-label="Connected programs">
        {programs.map(({ id, name, address, readOnly, createdAt, lastUsedAt, transcriptions: { used, limit } }) => (
          <SettingsRow
            key={id}
            name={<bdi>{name}</bdi>}
            state={
              <>
                <span className="meta">{address}</span>
                {readOnly && <Chip>Read-only</Chip>}
              </>
            }
            facts={
              <>
                <span>
                  Connected: <Moment at={createdAt} />
                </span>
                <span>Last used: {lastUsedAt === null ? "never" : <Moment at={lastUsedAt} />}</span>
                {counted && !readOnly && (
                  <span>
                    {exactNumber(used)} of {exactNumber(limit)} transcriptions
                  </span>
                )}
              </>
            }
          >
            <Button
              kind="danger"
              size="small"
              busy={disconnect.isPending && disconnect.variables.id === id && "Disconnecting…"}
              onClick={() => disconnect.mutate({ id })}
            >
              Disconnect
              <span className="visually-hidden"> {name}</span>
            </Button>
          </SettingsRow>
        ))}
      </ul>
    </section>
  );
}
