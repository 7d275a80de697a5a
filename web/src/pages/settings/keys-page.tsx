import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Output } from "../../api/operation-types.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { exactNumber } from "../../format/number.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { ExpiringKeys } from "../../components/notices/expiring-keys.tsx";
import { keyEnd } from "../../components/notices/key-end.ts";
import { FirstCall } from "./first-call.tsx";
import { KeyTable } from "./key-table.tsx";
import { PendingLines } from "./pending-lines.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";

const route = getRouteApi("/shell/settings/keys");

export function KeysPage() {
  const { data, error, refetch } = useOperation("listKeys", {}, { staleTime: 0 });
  const { new: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const [isOpen, setOpen] = useState(false);
  const creating = isOpen || wanted !== undefined;
  const setCreating = (open: boolean): void => {
    setOpen(open);
    if (!open && wanted !== undefined) void navigate({ search: {}, replace: true });
  };
  const [revoking, setRevoking] = useState<Output<"listKeys">["keys"][number]>();
  const inUse = data?.keys.filter(({ expiresAt }) => keyEnd(expiresAt) !== "expired").length ?? 0;
  const full = data !== undefined && inUse >= data.limit;
  const counts =
    data === undefined
      ? "Counting…"
      : full
        ? `You’ve reached the limit of ${exactNumber(data.limit)} keys. Revoke one first.`
        : `${exactNumber(inUse)} of ${exactNumber(data.limit)}`;
  const allowance =
    data?.quotaScope === "account"
      ? "All keys share your plan’s quota."
      : "Each key has its own quota and rate limits.";
  return (
    <>
      <PageHeader title="API keys" sub={`For scripts, agents and the command line. ${allowance}`}>
        <span className="meta" id="key-count">
          {counts}
        </span>
        <Button
          icon="plus"
          disabled={data === undefined || full}
          aria-describedby="key-count"
          onClick={() => setCreating(true)}
        >
          New key
        </Button>
      </PageHeader>
      {data && <ExpiringKeys keys={data.keys} />}
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {data === undefined && !error && <PendingLines count={3} label="Loading the keys" />}
      {data?.keys.length === 0 && (
        <EmptyState
          title="No keys yet"
          action={
            <Button kind="quiet" onClick={() => setCreating(true)}>
              Create a key
            </Button>
          }
        >
          Use a key to connect a script, an agent or the command line.
        </EmptyState>
      )}
      {data && data.keys.length > 0 && (
        <KeyTable keys={data.keys} counted={data.quotaScope === "key"} onRevoke={setRevoking} />
      )}
      {(data || error) && <FirstCall />}
      <CreateKeyDialog open={creating} onClose={() => setCreating(false)} replaced={data && replacedBy(data)} />
      <RevokeKeyDialog of={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

/** Of the keys that have expired the first, when none of the places is free. */
function replacedBy({ keys, limit, quotaScope }: Output<"listKeys">) {
  if (keys.length < limit) return undefined;
  const [first] = keys
    .filter(({ expiresAt }) => keyEnd(expiresAt) === "expired")
    .toSorted((one, other) => Date.parse(one.expiresAt ?? "") - Date.parse(other.expiresAt ?? ""));
  return first && { name: first.name, used: quotaScope === "key" ? first.transcriptions.used : 0 };
}
