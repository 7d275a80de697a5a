import { Link } from "@tanstack/react-router";

interface Props {
  readonly label: string;
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

/** Tabs that are pages of their own. */
export function TabLinks({ label, links }: Props) {
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
