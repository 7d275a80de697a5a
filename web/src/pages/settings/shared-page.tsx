import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button, CopyButton } from "../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader } from "../../components/page.tsx";
import { Handle, Moment } from "../../components/inline.tsx";
import { showToast } from "../../components/toast.tsx";
import { allowanceText, SettingsRow, SettingsTabs } from "./settings-tabs.tsx";

export function SharedPage() {
  const scripts = useOperation("listShareLinks", {}, { staleTime: 0 });
  const reports = useOperation("listReportLinks", {}, { staleTime: 0 });
  const onDone = (): void => void showToast("Link revoked");
  const revokeScript = useChange("revokeShareLink", { stale: ["listShareLinks"], onDone });
  const revokeReport = useChange("revokeReportLink", { stale: ["listReportLinks"], onDone });
  const failed = [scripts, reports].find(({ data, error }) => data === undefined && error);
  const scriptLinks = scripts.data?.links;
  const reportLinks = reports.data?.links;
  return (
    <>
      <PageHeader title="Shared links" sub="Anyone with one of these links can read what it shows." />
      <SettingsTabs />
      <ErrorNote error={failed?.error} onRetry={() => void failed?.refetch()} />
      <ErrorNote error={revokeScript.error ?? revokeReport.error} />
      {(scriptLinks === undefined || reportLinks === undefined) && !failed && (
        <PendingLines count={3} label="Loading the shared links" />
      )}
      {scriptLinks?.length === 0 && reportLinks?.length === 0 && (
        <EmptyState title="Nothing is shared" kind="ink" to="/library" action="Open the library">
          Open a script or a report and choose “Share” to create a link.
        </EmptyState>
      )}
      {scriptLinks !== undefined && scriptLinks.length > 0 && (
        <SharedList title="Scripts" used={scriptLinks.length} limit={scripts.data?.limit}>
          {scriptLinks.map(({ id, scriptId, url, account, beginning, language, createdAt }) => (
            <SharedRow
              key={id}
              name={
                <Link to="/scripts/$scriptId" params={{ scriptId }} lang={language} dir="auto">
                  {beginning || "No speech in this reel"}
                </Link>
              }
              about={account !== undefined && <Handle name={account} />}
              link={{ url, createdAt }}
              isEnding={revokeScript.isPending && revokeScript.variables.id === id}
              onRevoke={() => revokeScript.mutate({ id })}
            />
          ))}
        </SharedList>
      )}
      {reportLinks !== undefined && reportLinks.length > 0 && (
        <SharedList title="Reports" used={reportLinks.length} limit={reports.data?.limit}>
          {reportLinks.map(({ id, reportId, url, handle, title, createdAt }) => (
            <SharedRow
              key={id}
              name={
                <Link to="/reports/$reportId" params={{ reportId }}>
                  <Handle name={handle} />
                </Link>
              }
              about={title !== undefined && <bdi>{title}</bdi>}
              link={{ url, createdAt }}
              isEnding={revokeReport.isPending && revokeReport.variables.id === id}
              onRevoke={() => revokeReport.mutate({ id })}
            />
          ))}
        </SharedList>
      )}
    </>
  );
}

interface ListProps {
  readonly title: "Scripts" | "Reports";
  readonly used: number;
  readonly limit: number | undefined;
  readonly children: ReactNode;
}

const SharedList = ({ title, used, limit, children }: ListProps) => (
  <section className="stack tight" aria-label={title}>
    <div className="row">
      <h2 className="grow">{title}</h2>
      <span className="meta">{allowanceText(used, limit)}</span>
    </div>
    <ul className="sessions">{children}</ul>
  </section>
);

interface RowProps {
  readonly name: ReactNode;
  readonly about: ReactNode;
  readonly link: { readonly url: string; readonly createdAt: string };
  readonly isEnding: boolean;
  readonly onRevoke: () => void;
}

const SharedRow = ({ name, about, link: { url, createdAt }, isEnding, onRevoke }: RowProps) => (
  <SettingsRow
    className="webhook"
    name={name}
    facts={
      <>
        {about}
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
      <Button kind="ghost" size="small" busy={isEnding && "Revoking…"} onClick={onRevoke}>
        Revoke
      </Button>
    </div>
  </SettingsRow>
);
