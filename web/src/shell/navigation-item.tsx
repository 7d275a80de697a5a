import { Link, useLocation } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/icon.tsx";
import { exactNumber } from "../format/number.ts";

interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Beginnings of other paths that belong here too. */
  readonly covers?: readonly string[];
}

/** The first four have room everywhere. */
export const mainPlaces: readonly Place[] = [
  { to: "/library", icon: "library", label: "Library", covers: ["/scripts/"] },
  { to: "/transcribe", icon: "wave", label: "Transcribe" },
  { to: "/reports", icon: "chart", label: "Reports" },
  { to: "/bio", icon: "page", label: "Bio page" },
  { to: "/analytics", icon: "trend", label: "Analytics" },
  { to: "/guides", icon: "book", label: "Guides" },
];

export const accountPlaces: readonly Place[] = [
  { to: "/usage", icon: "gauge", label: "Usage and plan" },
  { to: "/settings/keys", icon: "key", label: "API keys" },
  { to: "/settings/account", icon: "gear", label: "Settings", covers: ["/settings/sessions", "/settings/webhooks"] },
];

interface Props extends Place {
  readonly count?: number | undefined;
  /** Whether there are more than were counted. */
  readonly more?: boolean;
}

export function NavigationItem({ to, icon, label, count, more = false, covers = [] }: Props) {
  const covered = useLocation({ select: ({ pathname }) => covers.some((start) => pathname.startsWith(start)) });
  return (
    <Link
      to={to}
      aria-current={covered ? "page" : undefined}
      activeOptions={{ includeSearch: false }}
      activeProps={{ "aria-current": "page" }}
    >
      <Icon name={icon} />
      {label}
      {count !== undefined && (
        <span className="count">
          {exactNumber(count)}
          {more && "+"}
        </span>
      )}
    </Link>
  );
}
