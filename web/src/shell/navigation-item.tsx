import { Link, useLocation } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/icon.tsx";
import { exactNumber } from "../format/number.ts";

interface Props {
  readonly to: string;
  readonly icon: IconName;
  readonly children: string;
  readonly count?: number | undefined;
  /** Whether there are more than were counted. */
  readonly more?: boolean;
  /** Beginnings of other paths that belong here too. */
  readonly covers?: readonly string[];
}

export function NavigationItem({ to, icon, children, count, more = false, covers = [] }: Props) {
  const covered = useLocation({ select: ({ pathname }) => covers.some((start) => pathname.startsWith(start)) });
  return (
    <Link
      to={to}
      aria-current={covered ? "page" : undefined}
      activeOptions={{ includeSearch: false }}
      activeProps={{ "aria-current": "page" }}
    >
      <Icon name={icon} />
      {children}
      {count !== undefined && (
        <span className="count">
          {exactNumber(count)}
          {more && "+"}
        </span>
      )}
    </Link>
  );
}

/** The pages of the person's own account. */
export function AccountNavigation() {
  return (
    <>
      <NavigationItem to="/usage" icon="gauge">
        Usage and plan
      </NavigationItem>
      <NavigationItem to="/settings/keys" icon="key">
        API keys
      </NavigationItem>
      <NavigationItem to="/settings/account" icon="gear" covers={["/settings/sessions", "/settings/webhooks"]}>
        Settings
      </NavigationItem>
    </>
  );
}
