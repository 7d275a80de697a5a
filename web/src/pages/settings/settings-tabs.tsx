import { Link } from "@tanstack/react-router";
import { useId, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { exactNumber } from "../../format.ts";

const tabs = [
  ["/settings/webhooks", "Webhooks"],
  ["/settings/shared", "Shared"],
  ["/settings/sessions", "Sessions"],
  ["/settings/account", "Account"],
] as const;

export const SettingsTabs = () => (
  <nav className="tabs" aria-label="Settings">
    {tabs.map(([path, name]) => (
      <Link key={path} to={path} activeProps={{ "aria-current": "page" }}>
        {name}
      </Link>
    ))}
  </nav>
);

interface AllowanceProps {
  /** `undefined` while unknown. */
  readonly used: number | undefined;
  readonly limit: number | undefined;
  /** The end of the message when all are in use: "endpoints. Delete one first." */
  readonly full: string;
  readonly children: string;
  readonly onCreate: () => void;
}

/** How many of the account's allowance are in use, and the button that creates one. */
export function Allowance({ used, limit = 0, full, children, onCreate }: AllowanceProps) {
  const id = useId();
  const isFull = used !== undefined && used >= limit;
  return (
    <>
      <span className="meta" id={id}>
        {isFull ? `You’ve reached the limit of ${exactNumber(limit)} ${full}` : allowanceText(used, limit)}
      </span>
      <Button kind="ink" icon="plus" disabled={used === undefined || isFull} aria-describedby={id} onClick={onCreate}>
        {children}
      </Button>
    </>
  );
}

export const allowanceText = (used: number | undefined, limit = 0): string =>
  used === undefined ? "Counting…" : `${exactNumber(used)} of ${exactNumber(limit)}`;

interface RowProps {
  readonly name: ReactNode;
  /** Shown next to the name. */
  readonly state?: ReactNode;
  /** Spans on the line below. */
  readonly facts: ReactNode;
  /** True if screen readers announce changes of the facts. */
  readonly live?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A list item and its buttons. */
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
