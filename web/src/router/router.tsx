import {
  createRootRoute,
  createRoute,
  createRouter,
  defaultParseSearch,
  Outlet,
  redirect,
  lazyRouteComponent,
  type AnyRoute,
  type ErrorComponentProps,
} from "@tanstack/react-router";
import { queryClient } from "../api/call.ts";
import { forgetTyping } from "../api/session-end.ts";
import { operationPages, operationQuery } from "../api/use-operation.ts";
import { Shell } from "../shell/shell.tsx";
import { pageSearch } from "../pages/page-search.ts";
import { CallError } from "@reelscript/client/core";
import { Button } from "../components/button.tsx";
import { NotFound } from "../components/not-found.tsx";
import { Note, PendingParts } from "../components/page.tsx";
import { Brand } from "../components/brand.tsx";
import { useEffect, useSyncExternalStore } from "react";
import { showToast } from "../components/toast.tsx";

/**
 * A page whose code is loaded on demand. If a release has removed that code, the router reloads the window; without a
 * connection that would leave the person with an empty window, so a message is shown instead.
 */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    async () =>
      load().catch(async (error: unknown) => {
        throw (await isReachable())
          ? error
          : new CallError("unreachable", "Can’t reach Reelscript. Check your connection.");
      }),
    name,
  );

/**
 * Fetches the library's scripts while its code is still loading, and then the data of its filters. The page finds the results
 * in its cache.
 */
function readLibraryAhead(): void {
  const isAddressed = location.pathname.endsWith("/library");
  const search = pageSearch.library(isAddressed ? defaultParseSearch(location.search) : {});
  void queryClient.prefetchInfiniteQuery(operationPages("searchMyScripts", { ...search, sort: search.sort ?? "date" }));
  setTimeout(() => {
    void queryClient.prefetchQuery(operationQuery("listScriptAccounts", {}));
    void queryClient.prefetchQuery(operationQuery("countScriptKinds", {}));
  });
}

const root = createRootRoute({ component: Outlet, errorComponent: ShellError });

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell, errorComponent: ShellError });

const movedPage = <const Path extends string>(path: Path, to: "/library" | "/settings/account") =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

/** Routes around pages; most routes take nothing but the path. */
const pagesIn =
  <Parent extends AnyRoute>(parent: Parent, errorComponent?: typeof ShellError) =>
  <const Path extends string, Module extends Record<string, unknown>, Search = object>(
    path: Path,
    load: () => Promise<Module>,
    name: keyof Module,
    validateSearch: (raw: Record<string, unknown>) => Search = () => ({}) as Search,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch,
      errorComponent,
      component: lazyPage(load, name),
    });

/** Unknown addresses still show the navigation. */
const missing = createRoute({ getParentRoute: () => shell, path: "$", component: NotFound });

const page = pagesIn(shell);
const alonePage = pagesIn(root, ShellError);

const outside = [
  movedPage("/", "/library"),
  movedPage("settings", "/settings/account"),
  alonePage("sign-in", () => import("../pages/sign-in/sign-in-page.tsx"), "SignInPage", pageSearch.signIn),
  alonePage("invitation", () => import("../pages/sign-in/invitation-page.tsx"), "InvitationPage"),
  alonePage("signed-in", () => import("../pages/sign-in/signed-in-page.tsx"), "SignedInPage"),
  alonePage("connect", () => import("../pages/connect/connect-page.tsx"), "ConnectPage", pageSearch.connect),
  alonePage("connect/done", () => import("../pages/connect/connect-page.tsx"), "ConnectedPage"),
] as const;

const pages = [
  page(
    "library",
    () => {
      // Run as separate tasks: during the first render of the frame they would block a slow phone.
      setTimeout(readLibraryAhead);
      return import("../pages/library/library-page.tsx");
    },
    "LibraryPage",
    pageSearch.library,
  ),
  page("deleted", () => import("../pages/library/deleted-page.tsx"), "DeletedPage"),
  page("scripts/$scriptId", () => import("../pages/library/script/script-page.tsx"), "ScriptPage", pageSearch.script),
  page("sample", () => import("../pages/samples/sample-script-page.tsx"), "SampleScriptPage"),
  page("transcribe", () => import("../pages/transcribe/transcribe-page.tsx"), "TranscribePage", pageSearch.transcribe),
  page("reports", () => import("../pages/reports/reports-page.tsx"), "ReportsPage", pageSearch.reports),
  page("reports/sample", () => import("../pages/reports/sample-report-page.tsx"), "SampleReportPage"),
  page("reports/compare", () => import("../pages/reports/compare/compare-page.tsx"), "ComparePage", pageSearch.compare),
  page(
    "reports/account/$handle",
    () => import("../pages/reports/series/series-page.tsx"),
    "SeriesPage",
    pageSearch.series,
  ),
  page(
    "reports/library/$handle",
    () => import("../pages/reports/library-report-page.tsx"),
    "LibraryReportPage",
    pageSearch.libraryReport,
  ),
  page("reports/$reportId", () => import("../pages/reports/report-page.tsx"), "ReportPage"),
  page("bio", () => import("../pages/bio/bio-page.tsx"), "BioPage", pageSearch.bio),
  page("analytics", () => import("../pages/analytics/analytics-page.tsx"), "AnalyticsPage", pageSearch.analytics),
  page("guides", () => import("../pages/guides/guides-page.tsx"), "GuidesPage", pageSearch.guides),
  page("guides/$guideId", () => import("../pages/guides/guide-page.tsx"), "GuidePage"),
  page("usage", () => import("../pages/usage/usage-page.tsx"), "UsagePage", pageSearch.usage),
  page("settings/keys", () => import("../pages/settings/keys-page.tsx"), "KeysPage", pageSearch.keys),
  page("settings/keys/$keyId", () => import("../pages/settings/key-page.tsx"), "KeyPage"),
  page("settings/webhooks", () => import("../pages/settings/webhooks/webhooks-page.tsx"), "WebhooksPage"),
  page("settings/webhooks/$webhookId", () => import("../pages/settings/webhooks/webhook-page.tsx"), "WebhookPage"),
  page("settings/shared", () => import("../pages/settings/shared-page.tsx"), "SharedPage"),
  page("settings/sessions", () => import("../pages/settings/sessions-page.tsx"), "SessionsPage"),
  page("admin/{-$part}", () => import("../pages/admin/admin-page.tsx"), "AdminPage"),
  page("settings/account", () => import("../pages/settings/account-page.tsx"), "AccountPage"),
] as const;

export const router = createRouter({
  basepath: "/app",
  routeTree: root.addChildren([...outside, shell.addChildren([...pages, missing])]),
  scrollRestoration: true,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => <PendingParts label="Loading the page" parts={["figures", "chart"]} />,
  defaultErrorComponent: PageError,
});

router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
  if (fromLocation === undefined || !pathChanged) return;
  forgetTyping();
  // Screen reader and keyboard users continue at the new page, not at the link.
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function ShellError(props: ErrorComponentProps) {
  return (
    <div className="alone">
      <Brand />
      <main id="main">
        <PageError {...props} />
      </main>
    </div>
  );
}

function PageError({ error }: ErrorComponentProps) {
  if (error instanceof CallError && error.code === "unreachable") return <PageUnreachable />;
  return (
    <div className="stack tight">
      <h1 tabIndex={-1}>Something went wrong</h1>
      <Note kind="bad" icon="warn">
        This is our error. You weren’t charged and your data is safe, but text you typed here may be lost.
      </Note>
      <p>
        <Button kind="ink" onClick={() => location.reload()}>
          Reload page
        </Button>
      </p>
      <details className="meta">
        <summary>Details for support</summary>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </details>
    </div>
  );
}

const pauseMilliseconds = 5_000;

function PageUnreachable() {
  useEffect(() => {
    const timer = setInterval(() => void loadIfReachable(), pauseMilliseconds);
    void loadIfReachable();
    return () => clearInterval(timer);
  }, []);
  const isOffline = useSyncExternalStore(watchConnection, () => !navigator.onLine);
  return (
    <div className="stack tight">
      <h1 tabIndex={-1}>{isOffline ? "You’re offline" : "Can’t reach Reelscript"}</h1>
      <Note kind="bad" icon="warn" live>
        {isOffline
          ? "This page will open when your connection is back."
          : "Check your connection. This page will open when Reelscript is back."}
      </Note>
      <p>
        <Button
          kind="ink"
          onClick={() =>
            void loadIfReachable().then(
              (loads) => loads || showToast("Still can’t reach Reelscript.", { failed: true }),
            )
          }
        >
          Try now
        </Button>
      </p>
    </div>
  );
}

async function loadIfReachable(): Promise<boolean> {
  const reachable = await isReachable();
  if (reachable) location.reload();
  return reachable;
}

function watchConnection(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

const isReachable = async (): Promise<boolean> =>
  fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
