import type { Key } from "@reelscript/contract";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CallError, type Output } from "@reelscript/client/core";
import { useOperation, useChange } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Chip, Moment } from "../../components/inline.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader, TableHead } from "../../components/page.tsx";
import { ScrolledTable } from "../../components/scrolled-table.tsx";
import { keyEnd } from "../../components/key-end.ts";
import { KeyChips, KeyEndLine, RevokeKeyDialog } from "./key-table.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { summaries } from "@reelscript/contract/summaries";

const route = getRouteApi("/shell/settings/keys/$keyId");

export function KeyPage() {
  const { keyId } = route.useParams();
  const navigate = useNavigate();
  const { data, error, refetch, isFetching } = useOperation("listKeyRequests", { id: keyId }, { staleTime: 0 });
  const live = useOperation("listKeys", {}, { staleTime: 0 });
  const [revoking, setRevoking] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const crumb = { to: "/settings/keys", label: "API keys" };
  if (error instanceof CallError && error.code === "notFound" && data === undefined)
    return (
      <>
        <PageHeader title="Key not found" crumb={crumb} />
        <EmptyState title="You don’t have this key" kind="ink" to="/settings/keys" action="All keys">
          It may belong to another account.
        </EmptyState>
      </>
    );
  const key = data?.key;
  const isLive = live.data?.keys.some(({ id }) => id === keyId);
  return (
    <>
      <PageHeader
        title={key?.name ?? "API key"}
        titleContent={key && <bdi>{key.name}</bdi>}
        crumb={crumb}
        sub={
          // Two lines from the start, so that nothing moves.
          <span className="two-lines">
            <span className="row">
              <code dir="ltr">svc_sk_…{key?.lastFour}</code>
              {isLive === false ? <Chip kind="bad">Revoked</Chip> : key && <KeyChips of={key} />}
            </span>
            <span className="row wrap">{key ? <Dates of={key} /> : "\u00A0"}</span>
          </span>
        }
      >
        <Button busy={isFetching && data && "Loading…"} onClick={() => void refetch()}>
          Refresh
        </Button>
        {isLive !== false && (
          <>
            <Button disabled={key === undefined || isLive === undefined} onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Button
              kind="danger"
              disabled={key === undefined || isLive === undefined}
              onClick={() => setRevoking(true)}
            >
              {key && keyEnd(key) === "expired" ? "Remove" : "Revoke"}
            </Button>
          </>
        )}
      </PageHeader>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <section className="stack tight">
        <h2>Recent requests</h2>
        {data === undefined && !error && <PendingLines count={5} label="Loading requests" low />}
        {data?.requests.length === 0 && (
          <EmptyState title="No requests yet">REST and MCP requests with this key will appear here.</EmptyState>
        )}
        {data && data.requests.length > 0 && <RequestTable requests={data.requests} />}
        <p className="hint">The last 50 requests. We never store their contents.</p>
      </section>
      {isRenaming && key && <RenameKeyDialog of={key} onClose={() => setRenaming(false)} />}
      {revoking && key && (
        <RevokeKeyDialog
          of={key}
          onClose={() => setRevoking(false)}
          onRevoked={() => void navigate({ to: "/settings/keys" })}
        />
      )}
    </>
  );
}

function Dates({ of }: { readonly of: Key }) {
  const { createdAt, lastUsedAt } = of;
  return (
    <>
      <span>
        Created: <Moment at={createdAt} style="long" />
      </span>
      <span>
        {lastUsedAt === null ? (
          "Never used"
        ) : (
          <>
            Last used: <Moment at={lastUsedAt} />
          </>
        )}
      </span>
      {keyEnd(of) !== "never" && (
        <span>
          <KeyEndLine of={of} />
        </span>
      )}
    </>
  );
}

interface RenameProps {
  readonly of: Key;
  readonly onClose: () => void;
}

function RenameKeyDialog({ of: { id, name: present }, onClose }: RenameProps) {
  const [name, setName] = useState(present);
  const [isMissing, setMissing] = useState(false);
  const rename = useChange("renameKey", { stale: ["listKeys", "listKeyRequests"], onDone: onClose });
  const submit = (): void => {
    const given = name.trim();
    setMissing(given === "");
    if (given !== "" && !rename.isPending) rename.mutate({ id, name: given });
  };
  return (
    <ChangeDialog
      onClose={onClose}
      title="Rename key"
      change={rename}
      onSubmit={submit}
      action="Save name"
      busy="Saving…"
    >
      <Input
        label="Name"
        error={isMissing && name.trim() === "" ? "Give the key a name." : undefined}
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </ChangeDialog>
  );
}

function RequestTable({ requests }: Pick<Output<"listKeyRequests">, "requests">) {
  return (
    <ScrolledTable className="requests" label="Recent requests">
      <TableHead columns={["Time", "Operation", "Via", "Result"]} />
      <tbody>
        {requests.map(({ at, operation, door, status }, index) => (
          <tr key={`${at} ${index}`}>
            <td className="meta">
              <Moment at={at} style="log" />
            </td>
            <td>{summaries[operation] ?? operation}</td>
            <td className="meta">{door === "rest" ? "REST" : "MCP"}</td>
            <td>
              <Chip kind={statusKind(status)}>
                <bdi>{status}</bdi> {statusMeaning(status)}
              </Chip>
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

const meanings: Readonly<Record<number, string>> = {
  200: "Done",
  202: "In progress",
  400: "Invalid request",
  401: "No valid key",
  403: "Quota used up",
  404: "Not found",
  405: "Wrong method",
  409: "Already in progress",
  412: "Changed in the meantime",
  413: "Too large",
  415: "Wrong format",
  422: "Can’t be processed",
  429: "Rate limited",
  502: "Platform unreachable",
  503: "Unavailable",
};

export function statusMeaning(status: number): string {
  const meaning = meanings[status];
  if (meaning !== undefined) return meaning;
  if (status >= 500) return "Our error";
  if (status >= 400) return "Refused";
  return "Done";
}

/** ok; warn: temporary; bad: permanent. */
export function statusKind(status: number): "ok" | "warn" | "bad" {
  if (status < 400) return "ok";
  return status === 409 || status === 429 || status >= 500 ? "warn" : "bad";
}
