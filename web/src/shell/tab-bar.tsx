import { useLocation } from "@tanstack/react-router";
import { useEffect, useId, useRef } from "react";
import { Icon } from "../components/icon.tsx";
import { AccountNavigation } from "./account-navigation.tsx";
import { NavigationItem } from "./navigation-item.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

/** At the bottom where the window is narrow; what finds no room stands behind "More". */
export function TabBar() {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => panel.current?.hidePopover(), [path]);
  const inMore = /\/(analytics|guides|usage|settings)/.test(path);
  return (
    <nav className="tab-bar" aria-label="Main">
      <NavigationItem to="/library" icon="library" covers={["/scripts/"]}>
        Library
      </NavigationItem>
      <NavigationItem to="/transcribe" icon="wave">
        Transcribe
      </NavigationItem>
      <NavigationItem to="/reports" icon="chart">
        Reports
      </NavigationItem>
      <NavigationItem to="/bio" icon="page">
        Bio
      </NavigationItem>
      <button type="button" popoverTarget={id} aria-current={inMore || undefined}>
        <Icon name="more" />
        More
      </button>
      <div id={id} ref={panel} popover="auto" className="menu at-bottom">
        <div className="navigation">
          <NavigationItem to="/analytics" icon="trend">
            Analytics
          </NavigationItem>
          <NavigationItem to="/guides" icon="book">
            Guides
          </NavigationItem>
          <AccountNavigation />
        </div>
        <ThemeChoice />
        <SignOutButton />
      </div>
    </nav>
  );
}
