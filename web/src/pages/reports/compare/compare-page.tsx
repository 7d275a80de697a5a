import { useQueries } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { operationQuery } from "../../../api/use-operation.ts";
import { EmptyState, ErrorNote, SkeletonRows } from "../../../components/note.tsx";
import { Handle } from "../../../components/inline.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { ComparisonTable } from "./comparison-table.tsx";
import { useAllReports } from "./use-all-reports.ts";

const route = getRouteApi("/shell/reports/compare");
/** More columns than these can't be read side by side. */
const mostAccounts = 4;

export function ComparePage() {
  const { handles } = route.useSearch();
  const navigate = route.useNavigate();
  const { reports, error, retry } = useAllReports();
  const known = [...new Set(reports?.map(({ handle }) => handle))];
  const chosen = (handles ?? known.slice(0, 2)).filter((handle) => known.includes(handle)).slice(0, mostAccounts);
  const toggle = (handle: string): void =>
    void navigate({
      search: { handles: chosen.includes(handle) ? chosen.filter((one) => one !== handle) : [...chosen, handle] },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        title="Compare accounts"
        sub="The newest report of each account, side by side."
        crumb={{ to: "/reports", label: "Reports", here: "Compare" }}
      />
      <ErrorNote error={error} onRetry={retry} />
      {reports === undefined && !error && <SkeletonRows count={6} label="Loading reports" />}
      {reports !== undefined && known.length < 2 && (
        <EmptyState title="Nothing to compare yet" to="/reports" action="Show all reports">
          Create reports on two accounts to compare them.
        </EmptyState>
      )}
      {known.length > 1 && (
        <fieldset className="row wrap account-choice">
          <legend className="visually-hidden">Accounts to compare, at most {mostAccounts}</legend>
          {known.map((handle) => (
            <label key={handle} className="row">
              <input
                type="checkbox"
                checked={chosen.includes(handle)}
                disabled={!chosen.includes(handle) && chosen.length >= mostAccounts}
                onChange={() => toggle(handle)}
              />
              <Handle name={handle} />
            </label>
          ))}
        </fieldset>
      )}
      {known.length > 1 && <Compared handles={chosen} />}
    </>
  );
}

function Compared({ handles }: { readonly handles: readonly string[] }) {
  const reports = useQueries({
    queries: handles.map((handle) => operationQuery("getCompetitorReport", { id: `@${handle}` })),
  });
  const failed = reports.find(({ error }) => error);
  if (handles.length === 0) return <p>Choose at least one account.</p>;
  if (failed) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  const loaded = reports.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (loaded.length < reports.length) return <SkeletonRows count={6} label="Loading reports" />;
  return <ComparisonTable reports={loaded} />;
}
