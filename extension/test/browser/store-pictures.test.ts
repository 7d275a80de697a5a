import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SignedIn } from "../../../server/test/harness/sign-in.ts";
import { hour } from "../../../server/test/harness/test-clock.ts";
import { chromiumProgram, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";
import { pressSeen } from "./press-seen.ts";
import { startExtension, type ExtensionTrial } from "./start-extension.ts";

const { STORE_PICTURES } = process.env;
const isAsked = chromiumProgram !== undefined && STORE_PICTURES !== undefined;
const unlessAsked = isAsked ? "" : unlessSkipped || " (skipped: no folder for them in STORE_PICTURES)";

/** Stores refuse larger ones, or other sizes. */
const mostBytes = 400_000;
const size = { width: 1280, height: 800 };

const handle = "front.desk";
const service = "https://reels.example.com";

describe.skipIf(!isAsked)(`pictures for the stores${unlessAsked}`, () => {
  let trial: ExtensionTrial;
  let person: SignedIn;

  beforeAll(async () => {
    trial = await startExtension();
    person = await trial.connectAs("lena@example.com");
    await post();
    await moveService();
  });
  afterAll(async () => trial?.close());

  /** Sixty reels with the pictures of those that the stand-in has, posted on the days and hours of a diligent person. */
  async function post(): Promise<void> {
    const reels = trial.service.standin.reels.filter(
      ({ kind, language, media }) => kind === "speech" && language === "en" && media.length === 1,
    );
    for (let index = 0; index < 60; index += 1) {
      const { media, caption, seconds, language } = reels[index % reels.length]!;
      const plays = 6_000 + ((index * 7_919) % 41_000) + index * 350;
      const added = trial.service.standin.addReel({
        handle,
        bytes: await media[0]!.load(),
        language,
        caption: caption ?? "",
        seconds,
        plays,
        likes: Math.round(plays * (0.04 + (index % 7) / 200)),
        comments: 20 + ((index * 13) % 90),
        postedAt: new Date(Date.UTC(2026, 6, 1 + index * 2, 16 + (index % 4), 12)),
      });
      Object.assign(added.media[0]!, { poster: media[0]!.poster });
    }
  }

  /** An address that people can read, in place of a port of this machine. */
  async function moveService(): Promise<void> {
    await trial.allow([`${service}/*`]);
    await trial.context.route(`${service}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(service, trial.service.url) });
      await route.fulfill({ response });
    });
    await trial.changeConnection({ baseUrl: service });
  }

  /** Pictures of a page that is being scrolled have its parts in two places. */
  const standStill = async (page: Page): Promise<void> =>
    page.evaluate(
      async () =>
        new Promise<void>((resolve) => {
          let last = -1;
          let still = 0;
          const look = (): void => {
            still = scrollY === last ? still + 1 : 0;
            last = scrollY;
            if (still >= 6) resolve();
            else requestAnimationFrame(look);
          };
          look();
        }),
    );

  async function keep(page: Page, name: string): Promise<void> {
    const picture = await page.screenshot({ type: "png" });
    expect([name, picture.length < mostBytes, picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
      name,
      true,
      size.width,
      size.height,
    ]);
    await writeFile(path.join(STORE_PICTURES ?? "", `${name}.png`), picture);
  }

  it("show panel, progress and report of a profile", async () => {
    const page = await trial.visit(`/${handle}/`);
    const panel = await trial.openPanel(page);
    await panel.getByRole("button", { name: "Analyze" }).waitFor();
    await panel.getByText("0 of 500").waitFor();
    await keep(page, "panel");
    await pressSeen(panel.getByRole("button", { name: "Analyze" }));
    await expect.poll(async () => Number(await panel.locator(".figure").textContent())).toBeGreaterThan(20);
    await standStill(page);
    await keep(page, "progress");
    await panel.getByText("Report ready").waitFor();
    await panel.getByText("60 of 500").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await keep(page, "report");
    await page.close();
  });

  it("show a reel read along, and the marks", { timeout: 400_000 }, async () => {
    const [, , , ...reels] = trial.service.standin.reels.filter(({ owner }) => owner.username === handle).toReversed();
    const english = trial.service.standin.reels.find(
      ({ kind, language, caption, seconds }) =>
        // Not every machine has pictures of emoji.
        kind === "speech" && language === "en" && seconds > 9 && /^[ -~]+$/.test(caption ?? ""),
    )!;
    for (const { code } of [reels[0]!, reels[2]!, reels[3]!]) {
      // People may have two reels transcribed in an hour.
      trial.service.clock.advance(2 * hour);
      const answer = await person.api("transcribeReel", { url: `https://www.instagram.com/reel/${code}/` });
      expect([200, 202]).toContain(answer.status);
    }
    const page = await trial.visit(`/reel/${english.code}/`);
    const panel = await trial.openPanel(page);
    await pressSeen(panel.getByRole("button", { name: "Transcribe" }));
    await panel.getByRole("button", { name: "Copy" }).waitFor({ timeout: 240_000 });
    // Visitors of a store have no use for the texts that the stand-in shows about itself.
    await page.addStyleTag({ content: "main > p:first-child, main input, main p:last-child { visibility: hidden }" });
    const { scripts } = (await person.api("searchMyScripts")).body;
    const { id } = scripts.find(({ reelUrl }: { readonly reelUrl: string }) => reelUrl.includes(english.code));
    const { words } = (await person.api("getScript", { id, words: true })).body;
    const word = words[Math.floor(words.length / 2)];
    await page.evaluate(
      async (at) =>
        new Promise<void>((resolve) => {
          const video = document.querySelector("video")!;
          video.addEventListener("seeked", () => resolve(), { once: true });
          Object.assign(video, { currentTime: at, muted: true });
        }),
      (word.start + word.end) / 2,
    );
    await panel.locator(".said").waitFor();
    await keep(page, "follow-along");
    await page.close();

    const profile = await trial.visit(`/${handle}/`);
    await expect.poll(async () => (await trial.drawn(profile, "mark")).length).toBeGreaterThan(1);
    await keep(profile, "marks");
    await keepPopup(profile);
    await profile.close();
  });

  /** The browser shows the popup in a window of its own, which no picture of a page has. */
  async function keepPopup(below: Page): Promise<void> {
    const behind = (await below.screenshot({ type: "png" })).toString("base64");
    const popup = await trial.context.newPage();
    await popup.setViewportSize({ width: 340, height: 320 });
    await popup.goto(`chrome-extension://${trial.id}/popup.html`);
    // It speaks of the tab in front.
    await below.bringToFront();
    await popup.reload();
    await popup.getByRole("button", { name: "Open panel" }).waitFor();
    await popup.getByText("60 of 500").waitFor();
    const picture = (await popup.locator("body").screenshot({ type: "png" })).toString("base64");
    await popup.setViewportSize(size);
    await popup.goto("about:blank");
    await popup.setContent(
      `<style>body{margin:0;background:url(data:image/png;base64,${behind})}img{position:fixed;top:12px;right:24px;border-radius:10px;box-shadow:0 0 0 1px #0002,0 12px 48px #0005}</style><img src="data:image/png;base64,${picture}">`,
    );
    await keep(popup, "popup");
    await popup.close();
  }
});
