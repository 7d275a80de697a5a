import { createRootRoute, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import { forgetTyping } from "../api/session-end.ts";
import { PagePending } from "../shell/page-pending.tsx";
import { Shell } from "../shell/shell.tsx";
import { lazyPage } from "./lazy-page.ts";
import { NotFoundPage } from "./not-found-page.tsx";
import { PageError } from "./page-error.tsx";
import { ShellError } from "./shell-error.tsx";
import { pageSearch } from "./page-search.ts";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: ShellError });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: pageSearch.signIn,
  errorComponent: ShellError,
  component: lazyPage(() => import("../pages/sign-in/sign-in-page.tsx"), "SignInPage"),
});

const connect = createRoute({
  getParentRoute: () => root,
  path: "connect",
  validateSearch: pageSearch.connect,
  errorComponent: ShellError,
  component: lazyPage(() => import("../pages/connect/connect-page.tsx"), "ConnectPage"),
});
const connected = createRoute({
  getParentRoute: () => root,
  path: "connect/done",
  errorComponent: ShellError,
  component: lazyPage(() => import("../pages/connect/connected-page.tsx"), "ConnectedPage"),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  path: "signed-in",
  errorComponent: ShellError,
  component: lazyPage(() => import("../pages/sign-in/signed-in-page.tsx"), "SignedInPage"),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell, errorComponent: ShellError });
const inShell = () => shell;

const toLibrary = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/library", replace: true });
  },
});
const toAccount = createRoute({
  getParentRoute: () => root,
  path: "settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/account", replace: true });
  },
});

const pages = [
  createRoute({
    getParentRoute: inShell,
    path: "library",
    validateSearch: pageSearch.library,
    component: lazyPage(() => import("../pages/library/library-page.tsx"), "LibraryPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "scripts/$scriptId",
    validateSearch: pageSearch.script,
    component: lazyPage(() => import("../pages/library/script/script-page.tsx"), "ScriptPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "sample",
    component: lazyPage(() => import("../pages/samples/sample-script-page.tsx"), "SampleScriptPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "transcribe",
    validateSearch: pageSearch.transcribe,
    component: lazyPage(() => import("../pages/transcribe/transcribe-page.tsx"), "TranscribePage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "reports",
    validateSearch: pageSearch.reports,
    component: lazyPage(() => import("../pages/reports/reports-page.tsx"), "ReportsPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "reports/sample",
    component: lazyPage(() => import("../pages/samples/sample-report-page.tsx"), "SampleReportPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "reports/compare",
    validateSearch: pageSearch.compare,
    component: lazyPage(() => import("../pages/reports/compare/compare-page.tsx"), "ComparePage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "reports/$reportId",
    component: lazyPage(() => import("../pages/reports/report-page.tsx"), "ReportPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "bio",
    validateSearch: pageSearch.bio,
    component: lazyPage(() => import("../pages/bio/bio-page.tsx"), "BioPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "analytics",
    validateSearch: pageSearch.analytics,
    component: lazyPage(() => import("../pages/analytics/analytics-page.tsx"), "AnalyticsPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "guides",
    validateSearch: pageSearch.guides,
    component: lazyPage(() => import("../pages/guides/guides-page.tsx"), "GuidesPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "guides/$guideId",
    component: lazyPage(() => import("../pages/guides/guide-page.tsx"), "GuidePage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "usage",
    validateSearch: pageSearch.usage,
    component: lazyPage(() => import("../pages/usage/usage-page.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/keys",
    validateSearch: pageSearch.keys,
    component: lazyPage(() => import("../pages/settings/keys-page.tsx"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/keys/$keyId",
    component: lazyPage(() => import("../pages/settings/key-page.tsx"), "KeyPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/webhooks",
    component: lazyPage(() => import("../pages/settings/webhooks/webhooks-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/shared",
    component: lazyPage(() => import("../pages/settings/shared-page.tsx"), "SharedPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/sessions",
    component: lazyPage(() => import("../pages/settings/sessions-page.tsx"), "SessionsPage"),
  }),
  createRoute({
    getParentRoute: inShell,
    path: "settings/account",
    component: lazyPage(() => import("../pages/settings/account-page.tsx"), "AccountPage"),
  }),
] as const;

export const router = createRouter({
  basepath: "/app",
  routeTree: root.addChildren([toLibrary, toAccount, signIn, signedIn, connect, connected, shell.addChildren(pages)]),
  scrollRestoration: true,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageError,
});

router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
  if (fromLocation === undefined || !pathChanged) return;
  forgetTyping();
  // Who reads with the ears or the keyboard continues at the new page, not where the link was.
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
