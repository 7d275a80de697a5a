import { Link } from "@tanstack/react-router";

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

interface Props {
  readonly label: string;
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

function TabLinks({ label, links }: Props) {
  return (
    <nav className="tabs" aria-label={label}>
      {links.map(({ to, label: shown }) => (
        <Link key={to} to={to} activeProps={{ "aria-current": "page" }}>
          {shown}
        </Link>
      ))}
    </nav>
  );
}
