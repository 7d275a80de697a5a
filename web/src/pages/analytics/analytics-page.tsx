import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function AnalyticsPage() {
  return (
    <>
      <PageHeader title="Analytics" sub="Visits and clicks of your bio page." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
