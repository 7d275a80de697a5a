import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { StandinReel } from "@reelscript/platform-standin";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { pressSeen } from "./press-seen.ts";
import { nextList, shoot, type ExtensionTrial } from "./start-extension.ts";

interface Posted {
  readonly plays: number;
  readonly likes: number | null;
  readonly comments: number;
}

const handle = "lena.bakes";
const posted: readonly Posted[] = Array.from({ length: 60 }, (_, index) => ({
  plays: 1_000 + ((index * 7_919) % 90_000),
  likes: index % 9 === 0 ? null : 50 + index * 3,
  comments: index,
}));

export function profiles(trial: ExtensionTrial): void {
  let person: SignedIn;
  let bytes: Buffer;

  beforeAll(async () => {
    person = await trial.connectAs("reports@example.com");
    bytes = await trial.service.standin.reels[0]!.media[0]!.load();
  });

  const post = (owner: string, reels: readonly Posted[]) =>
    reels.map((reel, index) =>
      trial.service.standin.addReel({
        handle: owner,
        bytes,
        postedAt: new Date(Date.UTC(2026, 5, 1 + index * 2, 6 + (index % 12), index)),
        caption: `Loaf ${index}`,
        seconds: 12 + (index % 20),
        ...reel,
      }),
    );

  it("makes a report of 60 reels, whose figures are those of the page", async () => {
    const reels = post(handle, posted);
    const before = trial.requests.length;
    const page = await trial.context.newPage();
    // In all other tests the page scrolls without gliding.
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await trial.visit(`/${handle}/`, page);
    expect(trial.requests.slice(before)).toEqual([]);
    const panel = await trial.openPanel(page);
    const analyze = panel.getByRole("button", { name: `Analyze @${handle}` });
    await analyze.waitFor();
    const zone = panel.getByLabel("Audience’s time zone");
    expect(await zone.inputValue()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    await zone.selectOption("America/New_York");
    await shoot(page, "panel");
    await trial.before(nextList, async () => {
      await analyze.click();
      await panel.getByRole("button", { name: "Pause" }).click();
      await panel.getByRole("button", { name: "Continue" }).waitFor();
    });
    await trial.before(nextList, async () => {
      await panel.getByRole("button", { name: "Continue" }).click();
      await expect.poll(async () => Number(await panel.locator(".figure").textContent())).toBeGreaterThan(20);
      await shoot(page, "progress");
    });
    await panel.getByText("Report ready").waitFor();
    await shoot(page, "report");

    const [summary] = (await person.api("listCompetitorReports")).body.reports;
    expect(summary).toMatchObject({ handle, reelsAnalyzed: 60 });
    expect((await person.api("getUsage")).body.posts.used).toBe(60);
    const report = (await person.api("getCompetitorReport", { id: summary.id })).body;
    // A report on the same reels, imported by hand in another account, must agree.
    const other = await giveSession(trial.service, { email: "by.hand@example.com" });
    const timezone = "America/New_York";
    const collection = { handle, timezone, collectedAt: new Date().toISOString(), reels: reels.map(asCollected) };
    const byHand = (await other.api("importReport", collection)).body;
    for (const part of ["metrics", "topReels", "timezone", "postingHours"])
      expect(report[part], part).toEqual(byHand[part]);
    await panel.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => zone.inputValue()).toBe("America/New_York");
  });

  it("makes a report for a visitor of the platform, whose lists have neither author nor date nor counts", async () => {
    const reels = post("no.account", posted.slice(0, 30));
    const cookies = await trial.context.cookies("https://www.instagram.com");
    await trial.context.clearCookies({ name: "sessionid" });
    const page = await trial.visit("/no.account/");
    const panel = await trial.openPanel(page);
    await pressSeen(panel.getByRole("button", { name: "Analyze @no.account" }));
    await panel.getByText("Report ready").waitFor();
    await trial.context.addCookies(cookies);

    const { reports } = (await person.api("listCompetitorReports")).body;
    const { id } = reports.find((report: { handle: string }) => report.handle === "no.account");
    const { metrics } = (await person.api("getCompetitorReport", { id })).body;
    expect(metrics).not.toHaveProperty("avgViews");
    // The three oldest may be pinned, and the newest is left out in their stead.
    const [first, last] = [reels[3]!, reels[28]!].map(({ takenAt }) => takenAt);
    expect(metrics.postingFrequencyPerWeek).toBeCloseTo(25 / ((last! - first!) / 604_800), 2);
  });

  it("connects several tabs that ask at the same moment", async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, async () => trial.openConnect()));
    await trial.worker.evaluate(async () => {
      const { chrome } = globalThis as unknown as {
        chrome: { scripting: { unregisterContentScripts(): Promise<void> } };
      };
      await chrome.scripting.unregisterContentScripts();
    });
    const at = Date.now() + 2_000;
    const press = async (page: Page) =>
      page.evaluate((time) => {
        setTimeout(() => document.querySelector<HTMLButtonElement>("main button")?.click(), time - Date.now());
      }, at);
    await Promise.all(pages.map(press));
    await Promise.all(pages.map(async (page) => page.waitForURL(`${trial.service.url}/**`, { waitUntil: "commit" })));
    expect(new Set(pages.map((page) => new URL(page.url()).origin))).toEqual(new Set([trial.service.url]));
  });

  it("keeps a collection that is larger than the plan, and saves it as a file", async () => {
    post("many.buns", posted.slice(0, 30));
    await person.api("importReport", aLargeCollection(500 - 60 - 30 - 29));
    const page = await trial.visit("/many.buns/reels/");
    const panel = await trial.openPanel(page);
    await pressSeen(panel.getByRole("button", { name: "Analyze @many.buns" }));
    await panel.getByText("are kept in this browser").waitFor();
    await shoot(page, "over-quota");
    expect((await person.api("getUsage")).body.posts.used).toBe(471);
    const saved = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Save as file" }).click();
    const collection = JSON.parse(await readFile(await (await saved).path(), "utf8"));
    expect(collection).toMatchObject({ handle: "many.buns" });
    expect(collection.reels).toHaveLength(30);
    expect((await person.api("importReport", { ...collection, reels: collection.reels.slice(0, 29) })).status).toBe(
      200,
    );

    await page.reload();
    const again = await trial.openPanel(page);
    await again.getByText("30 reels from").waitFor();
    await again.getByRole("button", { name: "Discard" }).click();
    await again.getByText("30 reels from").waitFor({ state: "detached" });
  });

  it("fits narrow windows and long names, in the dark too", async () => {
    const longest = "a_handle_of_thirty_characters_";
    post(longest, posted.slice(0, 30));
    const page = await trial.context.newPage();
    await page.setViewportSize({ width: 320, height: 560 });
    await page.emulateMedia({ colorScheme: "dark" });
    await trial.visit(`/${longest}/`, page);
    const sheet = async () =>
      page.evaluate(() => getComputedStyle(document.documentElement.lastElementChild!).getPropertyValue("--sheet"));
    await expect.poll(async () => (await trial.drawn(page, "launcher")).length).toBe(1);
    // At the right edge of the window, so its middle is in the right half if all of it is seen.
    await expect.poll(async () => (await trial.drawn(page, "launcher"))[0]?.x).toBeGreaterThanOrEqual(160);
    await expect.poll(sheet).toBe("#1b181d");
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(sheet).toBe("#fff");

    const panel = await trial.openPanel(page);
    const cutOff = async () =>
      panel
        .locator(".button")
        .evaluateAll((buttons) =>
          buttons
            .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
            .map(({ textContent }) => textContent),
        );
    await panel.getByRole("button", { name: "Analyze" }).waitFor();
    await expect.poll(cutOff).toEqual([]);
    const isInSight = () =>
      panel.getByRole("button", { name: "Stop" }).evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await trial.before(nextList, async () => {
      await pressSeen(panel.getByRole("button", { name: "Analyze" }));
      await expect.poll(isInSight).toBe(true);
    });
    // By now the plan may have no posts left.
    await panel.getByText(/Report ready|are kept in this browser/).waitFor();
    await expect.poll(cutOff).toEqual([]);
  });

  it("says what hinders it, and keeps what it has", async () => {
    const { standin } = trial.service;
    standin.addProfile("closed.door", { isPrivate: true });
    standin.addProfile("empty.plate");
    post("later.maybe", posted.slice(0, 30));
    const page = await trial.visit("/closed.door/");
    const say = async (owner: string, text: string): Promise<void> => {
      const panel = await trial.openPanel(await trial.visit(`/${owner}/`, page));
      await panel.getByRole("button", { name: `Analyze @${owner}` }).click();
      await panel.getByText(text).waitFor();
    };
    await say("closed.door", "This account is private");
    await say("empty.plate", "shows no reels");

    standin.setWall({ name: "tooManyRequests", doors: ["profileList"] });
    await say("later.maybe", "asks you to wait a few minutes");
    const panel = page.frames().find((frame) => frame.url().includes("/panel.html"))!;
    await panel.getByRole("button", { name: "Stop and use 12" }).waitFor();
    standin.setWall({ name: "pleaseWait", doors: ["profileList"] });
    await panel.getByRole("button", { name: "Continue" }).click();
    await panel.getByRole("button", { name: "Stop and use 12" }).waitFor();

    standin.setWall({ name: "schemaDrift", doors: ["profile", "profileList"] });
    await say("later.maybe", "can’t read them");
    expect((await person.api("listCompetitorReports")).body.reports).not.toContainEqual(
      expect.objectContaining({ handle: "later.maybe" }),
    );
    await shoot(page, "drift");
  });
}

const asCollected = ({ code, caption, plays, likes, comments, takenAt, seconds }: StandinReel) => ({
  url: `https://www.instagram.com/reel/${code}/`,
  caption,
  // An owner who hides likes hides views too.
  views: likes === null ? null : plays,
  likes,
  comments,
  postedAt: new Date(takenAt * 1_000).toISOString(),
  durationSeconds: seconds,
});

const aLargeCollection = (reels: number) => ({
  handle: "many.loaves",
  timezone: "UTC",
  collectedAt: "2026-11-20T10:00:00Z",
  reels: Array.from({ length: reels }, (_, index) => ({
    url: `https://www.instagram.com/reel/C${String(index).padStart(10, "a")}/`,
    views: index,
  })),
});
