import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" sub="Your data: take it along, or delete it." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
