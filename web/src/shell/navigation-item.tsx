import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/icon.tsx";
import { exactNumber } from "../format/number.ts";

interface Props {
  readonly to: string;
  readonly icon: IconName;
  readonly children: string;
  readonly count?: number | undefined;
}

export function NavigationItem({ to, icon, children, count }: Props) {
  return (
    <Link to={to} activeOptions={{ includeSearch: false }} activeProps={{ "aria-current": "page" }}>
      <Icon name={icon} />
      {children}
      {count !== undefined && <span className="n">{exactNumber(count)}</span>}
    </Link>
  );
}
