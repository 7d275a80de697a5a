import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function GuidesPage() {
  return (
    <>
      <PageHeader title="Guides" sub="How to write, film and measure reels." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
