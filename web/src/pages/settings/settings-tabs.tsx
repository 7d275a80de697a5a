import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "../../components/class-names.ts";

const places = [
  ["/settings/webhooks", "Webhooks"],
  ["/settings/shared", "Shared"],
  ["/settings/sessions", "Sessions"],
  ["/settings/account", "Account"],
] as const;

export const SettingsTabs = () => (
  <nav className="tabs" aria-label="Settings">
    {places.map(([place, name]) => (
      <Link key={place} to={place} activeProps={{ "aria-current": "page" }}>
        {name}
      </Link>
    ))}
  </nav>
);

interface RowProps {
  readonly name: ReactNode;
  /** Beside the name. */
  readonly state?: ReactNode;
  /** Spans, in the line below. */
  readonly facts: ReactNode;
  /** Whether the facts are read out when they change. */
  readonly live?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Something of a list, and its buttons. */
export const SettingsRow = ({ name, state, facts, live = false, className, children }: RowProps) => (
  <li className={classNames("row", className)}>
    <div className="grow">
      <p className="row wrap">
        <b className="semibold">{name}</b>
        {state}
      </p>
      <p className="row wrap meta" role={live ? "status" : undefined}>
        {facts}
      </p>
    </div>
    {children}
  </li>
);
