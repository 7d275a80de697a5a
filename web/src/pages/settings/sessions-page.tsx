import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function SessionsPage() {
  return (
    <>
      <PageHeader title="Sessions" sub="Where you are signed in." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
