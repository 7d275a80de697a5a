import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ScriptPage() {
  return (
    <>
      <PageHeader title="Script" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
