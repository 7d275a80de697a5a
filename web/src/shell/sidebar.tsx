import { useOperation } from "../api/use-operation.ts";
import { AccountNavigation } from "./account-navigation.tsx";
import { Icon } from "../components/icon.tsx";
import { Brand } from "./brand.tsx";
import { NavigationItem } from "./navigation-item.tsx";
import { paletteKeys } from "./palette/use-palette.ts";
import { PersonMenu } from "./person-menu.tsx";
import { Quota } from "./quota.tsx";

export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const library = useOperation("listScriptAccounts", {});
  const reports = useOperation("listCompetitorReports", {});
  return (
    <aside className="sidebar">
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
        <NavigationItem to="/library" icon="library" count={library.data?.total} covers={["/scripts/"]}>
          Library
        </NavigationItem>
        <NavigationItem to="/transcribe" icon="wave">
          Transcribe
        </NavigationItem>
        <NavigationItem
          to="/reports"
          icon="chart"
          count={reports.data?.reports.length}
          more={reports.data?.nextCursor != null}
        >
          Reports
        </NavigationItem>
        <NavigationItem to="/bio" icon="page">
          Bio page
        </NavigationItem>
        <NavigationItem to="/analytics" icon="trend">
          Analytics
        </NavigationItem>
        <NavigationItem to="/guides" icon="book">
          Guides
        </NavigationItem>
      </nav>
      <div className="sidebar-foot">
        <Quota />
        <nav className="navigation" aria-label="Account">
          <AccountNavigation />
        </nav>
        <PersonMenu />
      </div>
    </aside>
  );
}
