import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function UsagePage() {
  return (
    <>
      <PageHeader title="Usage and plan" sub="What you have used, and what more costs." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
