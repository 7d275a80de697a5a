import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { aFullPerson, type FullPerson } from "./a-full-person.ts";
import { chromiumProgram, unlessSkipped } from "./chromium-program.ts";
import { hindrancesOf, settle, shiftsOf, sticksOut, tabTo, turnDark, watchShifts } from "./page-checks.ts";
import { heightAt, startVisits, type Visitor, type Visits } from "./start-visits.ts";

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
const widths = [390, 1440];
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
    action: button("Cancel at the end of the period"),
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

describe.skipIf(chromiumProgram === undefined)(`every page${unlessSkipped}`, { timeout: 180_000 }, () => {
  beforeAll(async () => {
    visits = await startVisits();
    full = await aFullPerson(visits.service, "lena@example.com");
    fresh = await signIn(visits.service, { email: "new@example.com" });
    // A window keeps what its pages share, as people's windows do: reading the dashboard again for every page would cost a second.
    windows = {
      full: await visits.openAs(full.person),
      new: await visits.openAs(fresh),
      nobody: await visits.open(),
    };
    for (const { context } of Object.values(windows)) await watchShifts(context);
  }, 240_000);
  afterEach(() => visits.expectSilence());
  afterAll(async () => {
    await visits?.leave();
    await visits?.close();
  });

  /** What is wrong with the page. */
  async function faultsOf({ name, address, heading, action, who = "full" }: Shown, width: number): Promise<string[]> {
    const page = await windows[who].context.newPage();
    await page.setViewportSize({ width, height: heightAt(width) });
    const faults: string[] = [];
    const note = (kind: string, found: readonly string[]): void =>
      void faults.push(...found.map((fault) => `${width} wide, ${kind}: ${fault}`));
    const keepPicture = async (look: string): Promise<void> => {
      if (!SCREENSHOTS) return;
      const picture = path.resolve(SCREENSHOTS, `${name}-${width}-${look}.png`);
      await page.screenshot({ path: picture, fullPage: true, animations: "disabled" });
    };
    await page.goto(new URL(await address(), visits.service.url).href);
    await page.getByRole("heading", { level: 1, name: heading }).first().waitFor();
    await settle(page);
    const { score, what } = await shiftsOf(page);
    await keepPicture("light");
    note("what axe finds", await hindrancesOf(page));
    note("sideways scrolling", await sticksOut(page));
    note("moved", score > mostShift ? [JSON.stringify(what)] : []);
    if (action !== undefined) note("by keyboard", await tabTo(page, action(page)));
    await turnDark(page);
    await keepPicture("dark");
    note("what axe finds by night", await hindrancesOf(page, ["color-contrast"]));
    await page.close();
    return faults;
  }

  test.each(pages)(
    "$name, wide and narrow, is whole and can be used by everybody, by day and by night",
    async (shown) => {
      windows[shown.who ?? "full"].expectRefusals(...(shown.refusals ?? []));
      const faults = await Promise.all(widths.map((width) => faultsOf(shown, width)));
      expect(faults.flat()).toEqual([]);
    },
  );
});
