import { Link } from "@tanstack/react-router";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button, CopyButton } from "../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader } from "../../components/page.tsx";
import { Handle, Moment } from "../../components/inline.tsx";
import { showToast } from "../../components/toast.tsx";
import { placesTaken, SettingsRow, SettingsTabs } from "./settings-tabs.tsx";

export function SharedPage() {
  const { data, error, refetch } = useOperation("listShareLinks", {}, { staleTime: 0 });
  const revoke = useChange("revokeShareLink", {
    stale: ["listShareLinks"],
    onDone: () => showToast("Link revoked"),
  });
  return (
    <>
      <PageHeader title="Shared scripts" sub="Anyone with one of these links can read the script.">
        <span className="meta">{placesTaken(data?.links.length, data?.limit)}</span>
      </PageHeader>
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={revoke.error} />
      {data === undefined && !error && <PendingLines count={3} label="Loading the shared scripts" />}
      {data?.links.length === 0 && (
        <EmptyState title="Nothing is shared" kind="ink" to="/library" action="Open the library">
          Open a script and choose “Share script” to create a link.
        </EmptyState>
      )}
      {data !== undefined && data.links.length > 0 && (
        <ul className="sessions">
          {data.links.map(({ id, scriptId, url, account, beginning, language, createdAt }) => (
            <SettingsRow
              key={id}
              className="webhook"
              name={
                <Link to="/scripts/$scriptId" params={{ scriptId }} lang={language} dir="auto">
                  {beginning || "No speech in this reel"}
                </Link>
              }
              facts={
                <>
                  {account !== undefined && <Handle name={account} />}
                  <span>
                    Shared: <Moment at={createdAt} style="long" />
                  </span>
                </>
              }
            >
              <div className="row wrap">
                <CopyButton size="small" text={url} done="Copied the link">
                  Copy link
                </CopyButton>
                <Button
                  kind="ghost"
                  size="small"
                  busy={revoke.isPending && revoke.variables.id === id && "Revoking…"}
                  onClick={() => revoke.mutate({ id })}
                >
                  Revoke
                </Button>
              </div>
            </SettingsRow>
          ))}
        </ul>
      )}
    </>
  );
}
