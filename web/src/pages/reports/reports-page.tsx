import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ReportsPage() {
  return (
    <>
      <PageHeader title="Reports" sub="What the accounts you watch post, and what works for them." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
