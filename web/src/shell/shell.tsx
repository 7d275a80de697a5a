import { Outlet } from "@tanstack/react-router";
import { ToastRegion } from "../components/toast-region.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TopBar } from "./top-bar.tsx";

/** What stands around every page of a signed-in person. */
export function Shell() {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Sidebar />
        <div>
          <TopBar />
          <div className="sheet">
            <main className="page" id="main" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        <TabBar />
      </div>
      <ToastRegion />
    </>
  );
}
