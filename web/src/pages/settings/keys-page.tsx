import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function KeysPage() {
  return (
    <>
      <PageHeader title="API keys" sub="For the API, agents and scripts of your own." />
      <SettingsTabs />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
