import { useOperation } from "../api/use-operation.ts";
import { AccountNavigation } from "./account-navigation.tsx";
import { Brand } from "./brand.tsx";
import { NavigationItem } from "./navigation-item.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { Quota } from "./quota.tsx";

export function Sidebar() {
  const library = useOperation("listScriptAccounts", {});
  const reports = useOperation("listCompetitorReports", {});
  return (
    <aside className="sidebar">
      <Brand />
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
