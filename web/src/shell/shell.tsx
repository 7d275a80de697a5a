import { Outlet } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { showPerson } from "../api/one-person.ts";
import { useOperation } from "../api/use-operation.ts";
import { ToastRegion } from "../components/toast/toast-region.tsx";
import { Palette } from "./palette/palette.tsx";
import { Shortcuts } from "./palette/shortcuts.tsx";
import { usePalette } from "./palette/use-palette.ts";
import { SessionEnded } from "./session-ended.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TopBar } from "./top-bar.tsx";

/** What stands around every page of a signed-in person. */
export function Shell() {
  const person = useOperation("getSession", {}, { staleTime: 300_000 }).data?.account.id;
  const [overlay, show] = usePalette();
  const close = useCallback(() => show(undefined), [show]);
  useEffect(() => {
    if (person !== undefined) showPerson(person);
  }, [person]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="application">
        <Sidebar onSearch={() => show("palette")} />
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
      <Palette open={overlay === "palette"} onClose={close} />
      <Shortcuts open={overlay === "shortcuts"} onClose={close} />
      <SessionEnded />
      <ToastRegion />
    </>
  );
}
