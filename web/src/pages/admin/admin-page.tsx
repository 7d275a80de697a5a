import { operatorRequests } from "@reelscript/contract/operator-requests";
import { CallError } from "@reelscript/client/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { addRequests } from "../../api/call.ts";
import { useOperation } from "../../api/use-operation.ts";
import { NotFound } from "../../components/not-found.tsx";
import { ErrorNote, PageHeader, PendingLines } from "../../components/page.tsx";
import { AccountsPart } from "./accounts-part.tsx";
import { AuditPart } from "./audit-part.tsx";
import { LanguagesPart } from "./languages-part.tsx";
import { QueuePart } from "./queue-part.tsx";
import { StatusPart } from "./status-part.tsx";

// Only operators load this page, so that nobody else loads the requests.
addRequests(operatorRequests);

const route = getRouteApi("/shell/admin/{-$part}");

const parts = [
  [undefined, "Health"],
  ["queue", "Queue"],
  ["accounts", "Accounts"],
  ["languages", "Languages"],
  ["audit", "Audit"],
] as const;

const lookMilliseconds = 15_000;

/** The page of the people who operate the service; for everybody else it doesn't exist. */
export function AdminPage() {
  const { part } = route.useParams();
  const status = useOperation("getServiceStatus", {}, { staleTime: 0, refetchInterval: lookMilliseconds });
  const isMissing = status.error instanceof CallError && status.error.code === "notFound";
  if (isMissing || parts.every(([name]) => name !== part)) return <NotFound />;
  return (
    <>
      <PageHeader title="Operator" sub="The whole service, all accounts. Everything you change here is in the audit." />
      <nav className="tabs" aria-label="Operator">
        {parts.map(([name, label]) => (
          <Link
            key={label}
            to="/admin/{-$part}"
            params={{ part: name }}
            activeOptions={{ exact: true }}
            activeProps={{ "aria-current": "page" }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <ErrorNote error={status.data ? undefined : status.error} onRetry={() => void status.refetch()} />
      {status.data === undefined && !status.error && <PendingLines count={6} label="Loading the service" />}
      {status.data && part === undefined && <StatusPart status={status.data} />}
      {status.data && part === "queue" && <QueuePart />}
      {status.data && part === "accounts" && <AccountsPart invites={status.data.invites} />}
      {status.data && part === "languages" && <LanguagesPart />}
      {status.data && part === "audit" && <AuditPart />}
    </>
  );
}
