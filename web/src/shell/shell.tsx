import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { showPerson } from "../api/one-person.ts";
import { useOperation } from "../api/use-operation.ts";
import { ToastRegion } from "../components/toast.tsx";
import { usePalette } from "./palette/use-palette.ts";
import { LeftChip, Sidebar, TabBar } from "./sidebar.tsx";
import { useSessionEnded } from "../api/session-end.ts";
import { Dialog, DialogButtons } from "../components/dialog.tsx";
import { AnchorButton } from "../components/button.tsx";
import { Chip, nearlyAll } from "../components/inline.tsx";
import { exactNumber } from "../format.ts";
import { Brand } from "../components/brand.tsx";
import { PersonMenu } from "./person-menu.tsx";

const loadOverlays = () => import("./palette/overlays.tsx");
const BatchWatch = lazy(async () => ({ default: (await import("./batch-watch.tsx")).BatchWatch }));
const Overlays = lazy(async () => ({ default: (await loadOverlays()).Overlays }));
/** By then the page itself has loaded. */
const overlaysMilliseconds = 2_000;

export function Shell() {
  const person = useOperation("getSession", {}, { staleTime: 300_000 }).data?.account.id;
  const [overlay, show] = usePalette();
  useEffect(() => {
    const timer = setTimeout(() => void loadOverlays().catch(() => undefined), overlaysMilliseconds);
    return () => clearTimeout(timer);
  }, []);
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
            <main className="page stack" id="main" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        <TabBar />
      </div>
      <Suspense>
        <BatchWatch />
      </Suspense>
      <Suspense>{overlay && <Overlays overlay={overlay} onClose={() => show(undefined)} />}</Suspense>
      <SessionEnded />
      <ToastRegion />
    </>
  );
}

function SessionEnded() {
  if (!useSessionEnded()) return undefined;
  return (
    <Dialog onClose={() => undefined} title="Your session ended" insistent>
      <p className="subtitle">Sign in again in a new tab. What you typed is still here.</p>
      <DialogButtons>
        <AnchorButton
          kind="ink"
          endIcon="open"
          href="/auth/login?return_to=/app/signed-in"
          target="_blank"
          rel="noopener"
        >
          Sign in
        </AnchorButton>
      </DialogButtons>
    </Dialog>
  );
}

function TopBar() {
  const { data } = useOperation("getUsage", {});
  const usage = data?.transcriptions;
  return (
    <header className="top-bar row only-when-narrow">
      <Brand />
      <span className="at-end row">
        <LeftChip />
        {usage && (
          <Chip kind={usage.used >= usage.limit ? "bad" : usage.used >= usage.limit * nearlyAll ? "warn" : "outline"}>
            {exactNumber(usage.used)} of {exactNumber(usage.limit)}
          </Chip>
        )}
      </span>
      <PersonMenu compact />
    </header>
  );
}
