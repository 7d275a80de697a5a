import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { aFullPerson, type FullPerson } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { lookAt, settle, shiftsOf, skipToMain, tabTo, watchShifts } from "./page-checks.ts";
import { aMoment, visitsOfTests } from "./start-visits.ts";

type PageCase = readonly [
  /** Also of its pictures. */
  name: string,
  address: string | (() => string | Promise<string>),
  heading: string | RegExp,
  /** The page's main action; the keyboard must reach it. */
  action?: (page: Page) => Locator,
  refusal?: number,
];
type Who = "full" | "new" | "nobody";

/** In one page, as browsers score what moved. */
const mostShift = 0.02;

let full: FullPerson;
let fresh: SignedIn;

const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first();
const link = (name: string | RegExp) => (page: Page) => page.getByRole("main").getByRole("link", { name }).first();
const field = (name: string | RegExp) => (page: Page) => page.getByLabel(name).first();

const pages: Readonly<Record<Who, readonly PageCase[]>> = {
  full: [
    ["library", "/app/library", "Library", field("Search transcripts and captions")],
    ["library-search", "/app/library?query=echo+test", "Library", link(/echo test/)],
    ["script", () => `/app/scripts/${full.scriptIds.english}?t=0`, /\w/, button(/^Copy$/)],
    ["script-arabic", () => `/app/scripts/${full.scriptIds.arabic}`, /\p{Script=Arabic}/u, button(/^Copy$/)],
    [
      "script-silent",
      () => `/app/scripts/${full.scriptIds.silent}`,
      "No speech in this reel",
      button("Delete from library"),
    ],
    ["script-missing", "/app/scripts/scr_none", "Script", link("Open the library"), 404],
    ["transcribe", "/app/transcribe", "Transcribe", (page) => page.getByRole("main").getByRole("textbox").first()],
    ["reports", "/app/reports", "Reports", link("@lena.bakes")],
    ["report", () => `/app/reports/${full.reportId}`, "@lena.bakes", link("Transcribe the top 5")],
    [
      "compare",
      "/app/reports/compare",
      "Compare accounts",
      (page) => page.getByRole("checkbox", { name: "@lena.bakes" }),
    ],
    ["bio", "/app/bio", "Bio page", button(/^Link$/)],
    [
      "bio-look",
      "/app/bio?tab=look",
      "Bio page",
      (page) => page.getByRole("main").locator("input[type=radio]:checked").first(),
    ],
    ["bio-profile", "/app/bio?tab=profile", "Bio page", field("Name")],
    ["bio-sharing", "/app/bio?tab=sharing", "Bio page", (page) => page.getByRole("main").getByRole("textbox").first()],
    ["bio-address", "/app/bio?tab=address", "Bio page", field("New address")],
    ["bio-preview", "/app/bio/preview", "Lena Bakes"],
    ["analytics", "/app/analytics", "Analytics", link("7 days")],
    ["guides", "/app/guides", "Guides", field("Search guides")],
    [
      "guide",
      "/app/guides/read-a-competitor-report",
      /report/i,
      (page) => page.getByRole("complementary").getByRole("link").last(),
    ],
    ["usage", "/app/usage", /Usage/, button(/plan|invoices|Manage/i)],
    ["keys", "/app/settings/keys", /API keys|Settings/, button(/key/i)],
    ["key", () => `/app/settings/keys/${full.keyId}`, "Notebook", button(/Revoke/)],
    ["webhooks", "/app/settings/webhooks", "Webhooks", button(/Send test/)],
    ["webhook", () => `/app/settings/webhooks/${full.webhookId}`, "Endpoint", button(/Rotate/)],
    ["sessions", "/app/settings/sessions", /Sessions|Settings/, button(/end|sign out/i)],
    ["account", "/app/settings/account", /Account|Settings/, button(/Delete/)],
    ["not-found", "/app/no/such/page", "Page not found", (page) => page.getByRole("link").last()],
    [
      "connect",
      () => `/connect?${new URLSearchParams({ challenge: "c".repeat(43), state: "s".repeat(43) })}`,
      "Connect the Reelscript extension?",
      button("Allow"),
    ],
    ["connect-incomplete", "/connect", "Connect the Reelscript extension?"],
    ["connected", "/app/connect/done#code=x&state=y", "Return to the extension", link("See your sessions")],
    [
      "portal",
      async () => (await full.person.api("openBillingPortal")).body.url,
      /Hobby|Creator/,
      button("Cancel plan"),
    ],
  ],
  new: [
    ["pay", async () => (await fresh.api("startCheckout", { plan: "hobby" })).body.url, "Hobby", button(/^Pay/)],
    ["empty-library", "/app/library", "Library", button("Try a sample reel")],
    ["sample", "/app/sample", "Nobody tells you this about bread", link("Transcribe a reel")],
    ["sample-report", "/app/reports/sample", "@sample.bakery", link("Create your own")],
    ["empty-reports", "/app/reports", "Reports", button("Import a file")],
    ["empty-bio", "/app/bio", "Bio page", field("Address")],
    ["empty-bio-links", "/app/bio?tab=links", "Bio page", button(/^Link$/)],
    ["empty-analytics", "/app/analytics", "Analytics", link("Create bio page")],
    ["free-usage", "/app/usage", /Usage/, button(/Hobby|Creator|Upgrade/i)],
    ["empty-keys", "/app/settings/keys", /API keys|Settings/, button(/key/i)],
  ],
  nobody: [
    ["home", "/", "Read what reels say", button("Transcribe")],
    ["try-sample", "/try", "Nobody tells you this about bread", link("Start free")],
    ["privacy", "/privacy", "Privacy policy"],
    ["terms", "/terms", "Terms of service", link("home page")],
    ["sign-in", "/app/sign-in", "Read what reels say", link("Continue with your account")],
    ["sign-in-ended", "/app/sign-in?error=expired", "Read what reels say", link("Continue with your account")],
    ["development-sign-in", "/auth/login", "Development sign-in", button("Sign in")],
  ],
};

describeInBrowser("every page", () => {
  const visits = visitsOfTests();
  beforeAll(async () => {
    full = await aFullPerson(visits.service, "full@example.com");
    fresh = await giveSession(visits.service, { email: "new@example.com" });
  });

  const all = (Object.keys(pages) as Who[]).flatMap((who) =>
    pages[who].map((pageCase) => ({ name: pageCase[0], who, pageCase })),
  );
  test.each(all)(
    "$name is accessible, light and dark, and fits narrow windows",
    async ({ name, who, pageCase: [, address, heading, action, refusal] }) => {
      const url = new URL(typeof address === "string" ? address : await address(), visits.service.url);
      const persons = { full: full.person, new: fresh };
      const { page, expectRefusals } = who === "nobody" ? await visits.open() : await visits.openAs(persons[who]);
      if (refusal !== undefined) expectRefusals(refusal);
      await watchShifts(page);
      await page.goto(url.href);
      await page.getByRole("heading", { level: 1, name: heading }).first().waitFor();
      await settle(page);
      const { score, what } = await shiftsOf(page);
      expect.soft(score, JSON.stringify(what)).toBeLessThanOrEqual(mostShift);
      if (name !== "library" && who !== "nobody") await skipToMain(page);
      if (action !== undefined) expect.soft(await tabTo(page, action(page)), "by keyboard").toEqual([]);
      await lookAt(page, name);
    },
  );

  test("a page's frame stays put if styles load before the code", async () => {
    const { page } = await visits.openAs(full.person);
    const styles = aMoment();
    const code = aMoment();
    for (const [files, { come }] of [
      ["**/assets/index-*.css", styles],
      ["**/assets/index-*.js", code],
    ] as const)
      await page.route(files, async (route) => {
        await come;
        await route.continue();
      });
    await watchShifts(page);
    await page.goto(`${visits.service.url}/app/usage`, { waitUntil: "commit" });
    const frame = page.locator(".opening-frame section");
    await frame.waitFor();
    await painted(page);
    styles.release();
    await expect.poll(() => frame.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe("solid");
    await painted(page);
    const { what } = await shiftsOf(page);
    code.release();
    expect(what).toEqual([]);
  });
});

const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
