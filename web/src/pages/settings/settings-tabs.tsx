import { TabLinks } from "../../components/tab-links.tsx";

/** On top of each page of the settings. */
export function SettingsTabs() {
  return (
    <TabLinks
      label="Settings"
      links={[
        { to: "/settings/webhooks", label: "Webhooks" },
        { to: "/settings/shared", label: "Shared" },
        { to: "/settings/sessions", label: "Sessions" },
        { to: "/settings/account", label: "Account" },
      ]}
    />
  );
}
