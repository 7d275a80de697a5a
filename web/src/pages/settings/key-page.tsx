import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function KeyPage() {
  return (
    <>
      <PageHeader title="API key" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
