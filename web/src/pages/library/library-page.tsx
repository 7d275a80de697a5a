import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function LibraryPage() {
  return (
    <>
      <PageHeader title="Library" sub="Every reel you have had transcribed, by its words." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
