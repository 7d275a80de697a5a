import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" sub="Your data: take it along, or delete it." />
      <SettingsTabs />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
