import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function SessionsPage() {
  return (
    <>
      <PageHeader title="Sessions" sub="Where you are signed in." />
      <SettingsTabs />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
