import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function BioPage() {
  return (
    <>
      <PageHeader title="Bio page" sub="One page for all your links." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
