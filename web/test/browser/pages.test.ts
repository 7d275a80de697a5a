import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { aFullPerson, type FullPerson } from "./a-full-person.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { hindrancesOf, settle, shiftsOf, sticksOut, tabTo, turnDark, watchShifts } from "./page-checks.ts";
import { heightAt, type Visitor, type Visits, visitsOfTests } from "./start-visits.ts";

interface Shown {
  /** Also of its pictures. */
  readonly name: string;
  readonly address: () => string | Promise<string>;
  readonly heading: string | RegExp;
  /** What one comes to the page for; the keyboard must reach it. */
  readonly action?: (page: Page) => Locator;
  readonly who?: "full" | "new" | "nobody";
  readonly refusals?: readonly number[];
}

/** Pictures of the pages are kept in the folder that SCREENSHOTS names. */
const { SCREENSHOTS } = process.env;
const [wide, narrow] = [1440, 390];
/** In one page, as browsers score what moved. */
const mostShift = 0.02;

let full: FullPerson;
let fresh: SignedIn;
let visits: Visits;
let windows: Readonly<Record<NonNullable<Shown["who"]>, Visitor>>;

const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first();
const link = (name: string | RegExp) => (page: Page) => page.getByRole("main").getByRole("link", { name }).first();
const field = (name: string | RegExp) => (page: Page) => page.getByLabel(name).first();

const pages: readonly Shown[] = [
  {
    name: "library",
    address: () => "/app/library",
    heading: "Library",
    action: field("Search transcripts and captions"),
  },
  {
    name: "library-search",
    address: () => "/app/library?query=echo+test",
    heading: "Library",
    action: link(/echo test/),
  },
  {
    name: "script",
    address: () => `/app/scripts/${full.scriptIds.english}?t=0`,
    heading: /\w/,
    action: button("Copy text"),
  },
  {
    name: "script-arabic",
    address: () => `/app/scripts/${full.scriptIds.arabic}`,
    heading: /\p{Script=Arabic}/u,
    action: button("Copy text"),
  },
  {
    name: "script-silent",
    address: () => `/app/scripts/${full.scriptIds.silent}`,
    heading: "No speech in this reel",
    action: button("Delete from library"),
  },
  {
    name: "script-missing",
    address: () => "/app/scripts/scr_none",
    heading: "Script",
    action: link("Open the library"),
    refusals: [404],
  },
  {
    name: "transcribe",
    address: () => "/app/transcribe",
    heading: "Transcribe",
    action: (page) => page.getByRole("main").getByRole("textbox").first(),
  },
  { name: "reports", address: () => "/app/reports", heading: "Reports", action: link("@lena.bakes") },
  {
    name: "report",
    address: () => `/app/reports/${full.reportId}`,
    heading: "@lena.bakes",
    action: link("Transcribe the top 5"),
  },
  {
    name: "compare",
    address: () => "/app/reports/compare",
    heading: "Compare accounts",
    action: (page) => page.getByRole("checkbox", { name: "@lena.bakes" }),
  },
  { name: "bio", address: () => "/app/bio", heading: "Bio page", action: button(/^Link$/) },
  {
    name: "bio-look",
    address: () => "/app/bio?tab=look",
    heading: "Bio page",
    action: (page) => page.getByRole("main").locator("input[type=radio]:checked").first(),
  },
  { name: "bio-profile", address: () => "/app/bio?tab=profile", heading: "Bio page", action: field("Name") },
  {
    name: "bio-sharing",
    address: () => "/app/bio?tab=sharing",
    heading: "Bio page",
    action: (page) => page.getByRole("main").getByRole("textbox").first(),
  },
  { name: "bio-address", address: () => "/app/bio?tab=address", heading: "Bio page", action: field("New address") },
  {
    name: "bio-preview",
    address: () => "/app/bio/preview",
    heading: "Lena Bakes",
  },
  { name: "analytics", address: () => "/app/analytics", heading: "Analytics", action: link("7 days") },
  { name: "guides", address: () => "/app/guides", heading: "Guides", action: field("Search guides") },
  {
    name: "guide",
    address: () => "/app/guides/read-a-competitor-report",
    heading: /report/i,
    action: (page) => page.getByRole("complementary").getByRole("link").last(),
  },
  { name: "usage", address: () => "/app/usage", heading: /Usage/, action: button(/plan|invoices|Manage/i) },
  { name: "keys", address: () => "/app/settings/keys", heading: /API keys|Settings/, action: button(/key/i) },
  { name: "key", address: () => `/app/settings/keys/${full.keyId}`, heading: "Notebook", action: button(/Revoke/) },
  { name: "webhooks", address: () => "/app/settings/webhooks", heading: "Webhooks", action: button(/Send test/) },
  {
    name: "webhook",
    address: () => `/app/settings/webhooks/${full.webhookId}`,
    heading: "Endpoint",
    action: button(/Rotate/),
  },
  {
    name: "sessions",
    address: () => "/app/settings/sessions",
    heading: /Sessions|Settings/,
    action: button(/end|sign out/i),
  },
  { name: "account", address: () => "/app/settings/account", heading: /Account|Settings/, action: button(/Delete/) },
  {
    name: "not-found",
    address: () => "/app/no/such/page",
    heading: "Page not found",
    action: (page) => page.getByRole("link").last(),
  },
  {
    name: "home",
    address: () => "/",
    heading: "Read what reels say",
    action: link("Start free"),
    who: "nobody",
  },
  { name: "privacy", address: () => "/privacy", heading: "Privacy policy", who: "nobody" },
  { name: "terms", address: () => "/terms", heading: "Terms of service", action: link("home page"), who: "nobody" },
  {
    name: "sign-in",
    address: () => "/app/sign-in",
    heading: "Read what reels say",
    action: link("Continue with your account"),
    who: "nobody",
  },
  {
    name: "sign-in-ended",
    address: () => "/app/sign-in?error=expired",
    heading: "Read what reels say",
    action: link("Continue with your account"),
    who: "nobody",
  },
  {
    name: "connect",
    address: () => `/connect?${new URLSearchParams({ challenge: "c".repeat(43), state: "s".repeat(43) })}`,
    heading: "Connect the extension",
    action: button("Connect"),
  },
  {
    name: "connect-incomplete",
    address: () => "/connect",
    heading: "Connect the extension",
  },
  {
    name: "connected",
    address: () => "/app/connect/done#code=x&state=y",
    heading: "Return to the extension",
    action: link("See your sessions"),
  },
  {
    name: "development-sign-in",
    address: () => "/auth/login",
    heading: "Development sign-in",
    action: button("Sign in"),
    who: "nobody",
  },
  {
    name: "pay",
    address: async () => (await fresh.api("startCheckout", { plan: "hobby" })).body.url,
    heading: "Hobby",
    action: button(/^Pay/),
    who: "new",
  },
  {
    name: "portal",
    address: async () => (await full.person.api("openBillingPortal")).body.url,
    heading: "Invoices and plan",
    action: button("Cancel at period end"),
  },
  {
    name: "empty-library",
    address: () => "/app/library",
    heading: "Library",
    action: button("Try a sample reel"),
    who: "new",
  },
  {
    name: "sample",
    address: () => "/app/sample",
    heading: "Nobody tells you this about bread.",
    action: link("Transcribe a reel"),
    who: "new",
  },
  {
    name: "sample-report",
    address: () => "/app/reports/sample",
    heading: "@sample.bakery",
    action: link("Create your own"),
    who: "new",
  },
  {
    name: "empty-reports",
    address: () => "/app/reports",
    heading: "Reports",
    action: button("Import a file"),
    who: "new",
  },
  { name: "empty-bio", address: () => "/app/bio", heading: "Bio page", action: button(/^Link$/), who: "new" },
  {
    name: "empty-analytics",
    address: () => "/app/analytics",
    heading: "Analytics",
    action: link("Create bio page"),
    who: "new",
  },
  {
    name: "free-usage",
    address: () => "/app/usage",
    heading: /Usage/,
    action: button(/Hobby|Creator|Upgrade/i),
    who: "new",
  },
  {
    name: "empty-keys",
    address: () => "/app/settings/keys",
    heading: /API keys|Settings/,
    action: button(/key/i),
    who: "new",
  },
];

describeInBrowser("every page", () => {
  visits = visitsOfTests(undefined, { keepsWindows: true });
  beforeAll(async () => {
    full = await aFullPerson(visits.service, "lena@example.com");
    fresh = await signIn(visits.service, { email: "new@example.com" });
    // Reading the dashboard again in a new page would cost a second each time.
    windows = {
      full: await visits.openAs(full.person),
      new: await visits.openAs(fresh),
      nobody: await visits.open(),
    };
    for (const { context } of Object.values(windows)) await watchShifts(context);
  });
  afterEach(() => visits.expectSilence());

  test.each(pages)(
    "$name can be used by everybody, by day and by night, and fits a narrow window",
    async ({ name, address, heading, action, who = "full", refusals = [] }) => {
      windows[who].expectRefusals(...refusals);
      const { page } = windows[who];
      await page.emulateMedia({ colorScheme: "light" });
      const keepPicture = async (look: string): Promise<void> => {
        if (!SCREENSHOTS) return;
        const picture = path.resolve(SCREENSHOTS, `${name}-${look}.png`);
        await page.screenshot({ path: picture, fullPage: true, animations: "disabled" });
      };
      const setWidth = (width: number) => page.setViewportSize({ width, height: heightAt(width) });
      await setWidth(wide);
      await page.goto(new URL(await address(), visits.service.url).href);
      await page.getByRole("heading", { level: 1, name: heading }).first().waitFor();
      await settle(page);
      const { score, what } = await shiftsOf(page);
      expect.soft(score, JSON.stringify(what)).toBeLessThanOrEqual(mostShift);
      await keepPicture(`${wide}-light`);
      await expect.poll(() => hindrancesOf(page), { message: "what axe finds" }).toEqual([]);
      await expect.poll(() => sticksOut(page), { message: "sideways scrolling" }).toEqual([]);
      if (action !== undefined) expect.soft(await tabTo(page, action(page)), "by keyboard").toEqual([]);
      await setWidth(narrow);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await keepPicture(`${narrow}-light`);
      await expect.poll(() => sticksOut(page), { message: "sideways scrolling in a narrow window" }).toEqual([]);
      await turnDark(page);
      await keepPicture(`${narrow}-dark`);
      const byNight = () => hindrancesOf(page, ["color-contrast"]);
      await expect.poll(byNight, { message: "what axe finds by night" }).toEqual([]);
    },
  );
});
