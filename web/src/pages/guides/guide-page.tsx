import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function GuidePage() {
  return (
    <>
      <PageHeader title="Guide" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
