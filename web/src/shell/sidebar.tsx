import { useOperation } from "../api/use-operation.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { Brand } from "../components/brand.tsx";
import { paletteKeys } from "./palette/use-palette.ts";
import { PersonMenu, SignOutButton } from "./person-menu.tsx";
import { Link, useLocation } from "@tanstack/react-router";
import { Chip, Meter, nearlyAll } from "../components/inline.tsx";
import { batchProgress } from "../components/page.tsx";
import { shortDate, planName, exactNumber, largestPlan } from "../format.ts";
import { useEffect, useId, useRef } from "react";
import { ThemeChoice } from "../components/theme.tsx";

function Quota() {
  const { data } = useOperation("getUsage", {});
  if (data === undefined) return <div className="quota stack" aria-hidden="true" />;
  const { used, limit, resetsAt } = data.transcriptions;
  return (
    <div className="quota stack">
      <span className="row">
        <b>{planName(data.plan)}</b>
        <bdi className="at-end">
          {exactNumber(used)} of {exactNumber(limit)}
        </bdi>
      </span>
      <Meter name="Transcriptions used" used={used} limit={limit} />
      <span className="row">
        <span className="muted">{resetsAt === null ? "One-time allowance" : `Resets ${shortDate(resetsAt)}`}</span>
        {used >= limit * nearlyAll && data.plan !== largestPlan && (
          <Link className="at-end" to="/usage">
            Upgrade
          </Link>
        )}
      </span>
    </div>
  );
}

/** Reels in unfinished batches. */
export function LeftChip() {
  const left = batchProgress.useValue()?.left ?? 0;
  return left > 0 && <Chip>{exactNumber(left)} left</Chip>;
}

export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const library = useOperation("listScriptAccounts", {});
  const reports = useOperation("listCompetitorReports", {});
  const counts: Readonly<Record<string, { readonly count: number | undefined; readonly more?: boolean }>> = {
    "/library": { count: library.data?.total },
    "/reports": { count: reports.data?.reports.length, more: reports.data?.nextCursor != null },
  };
  return (
    <aside className="sidebar hidden-when-narrow">
      <Brand />
      <button
        type="button"
        className="palette-button"
        aria-label="Search or go to"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <Icon name="search" />
        Search
        <kbd aria-hidden="true">{paletteKeys.join(" ")}</kbd>
      </button>
      <nav className="navigation" aria-label="Main">
        {mainDestinations.map((destination) => (
          <NavigationItem
            key={destination.to}
            {...destination}
            {...counts[destination.to]}
            hasBatches={destination.to === "/transcribe"}
          />
        ))}
      </nav>
      <div className="sidebar-foot stack">
        <Quota />
        <nav className="navigation" aria-label="Account">
          {accountDestinations.map((destination) => (
            <NavigationItem key={destination.to} {...destination} />
          ))}
        </nav>
        <PersonMenu />
      </div>
    </aside>
  );
}

export function TabBar() {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => panel.current?.hidePopover(), [path]);
  const inMore = /\/(analytics|guides|usage|settings)/.test(path);
  return (
    <nav className="tab-bar only-when-narrow" aria-label="Main">
      {mainDestinations.slice(0, 4).map((destination) => (
        <NavigationItem key={destination.to} {...destination} label={destination.label.replace("Bio page", "Bio")} />
      ))}
      <button type="button" popoverTarget={id} aria-current={inMore || undefined}>
        <Icon name="more" />
        More
      </button>
      <div id={id} ref={panel} popover="auto" className="menu at-bottom">
        <div className="navigation">
          {[...mainDestinations.slice(4), ...accountDestinations].map((destination) => (
            <NavigationItem key={destination.to} {...destination} />
          ))}
        </div>
        <ThemeChoice />
        <SignOutButton />
      </div>
    </nav>
  );
}

interface Destination {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Other path prefixes that belong here, too. */
  readonly covers?: readonly string[];
}

/** The first four always fit. */
const mainDestinations: readonly Destination[] = [
  { to: "/library", icon: "library", label: "Library", covers: ["/scripts/", "/deleted"] },
  { to: "/transcribe", icon: "wave", label: "Transcribe" },
  { to: "/reports", icon: "chart", label: "Reports" },
  { to: "/bio", icon: "page", label: "Bio page" },
  { to: "/analytics", icon: "trend", label: "Analytics" },
  { to: "/guides", icon: "book", label: "Guides" },
];

const accountDestinations: readonly Destination[] = [
  { to: "/usage", icon: "gauge", label: "Usage and plan" },
  { to: "/settings/keys", icon: "key", label: "API keys" },
  {
    to: "/settings/account",
    icon: "gear",
    label: "Settings",
    covers: ["/settings/sessions", "/settings/shared", "/settings/webhooks"],
  },
];

interface Props extends Destination {
  readonly count?: number | undefined;
  /** True if there are more than the count. */
  readonly more?: boolean;
  /** True if it shows the number of reels left in batches. */
  readonly hasBatches?: boolean;
}

function NavigationItem({ to, icon, label, count, more = false, hasBatches = false, covers = [] }: Props) {
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
      {hasBatches && (
        <span className="at-end">
          <LeftChip />
        </span>
      )}
    </Link>
  );
}
