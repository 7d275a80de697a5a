import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ReportPage() {
  return (
    <>
      <PageHeader title="Report" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
