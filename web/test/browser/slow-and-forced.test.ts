import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { addScript } from "./fill-account.ts";
import { cookiesOf, describeInBrowser, openContext } from "./chromium-program.ts";
import { settle, shiftsOf, shoot, sticksOut, tabTo, watchShifts } from "./page-checks.ts";
import { heightAt, visitsOfTests } from "./start-visits.ts";

/** 400 kbit/s, as on the edge of a mobile network. */
const bytesPerSecond = 50_000;
const latencyMilliseconds = 300;
/** In one page, as browsers score what moved. */
const mostShift = 0.02;
/** Until the words are there: five seconds at this speed, with a tenth of it for headers. */
const mostBytes = 275_000;

const words = "Salt comes first of all";

describeInBrowser("pages of people with slow networks, and with colors of their own", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber, repeated: ["advance-batches"] });
  let person: SignedIn;
  let scriptId: string;

  beforeAll(async () => {
    person = await giveSession(visits.service, { email: "edge@example.com" });
    scriptId = await addScript(visits.service, person.accountId, {
      text: `${words}, then the dough rests.`,
      handle: "lena.bakes",
    });
    const { standin } = visits.service;
    const { code } = standin.addReel({ bytes: Buffer.from("not looked at") });
    const gone = standin.reels.find(({ kind }) => kind === "deleted")!;
    transcriber.tell({ text: `${words}, says a batch.` });
    await person.api("createBatch", { urls: [code, gone.code].map((one) => standin.urlOf(one)) });
  });

  const pages: readonly (readonly [name: string, address: () => string])[] = [
    ["library", () => "/app/library"],
    ["script", () => `/app/scripts/${scriptId}`],
    ["batch", () => "/app/transcribe"],
  ];

  const wordsOn = (page: Page) => page.getByRole("main").getByText(words).filter({ visible: true }).first();

  /** Bytes received so far on a narrow line, without anything from earlier visits. */
  async function narrow(page: Page): Promise<() => number> {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latencyMilliseconds,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    return () => bytes;
  }

  describe("at 400 kbit/s", () => {
    test.each(pages)("%s draws its frame before its code, then the words, and nothing moves", async (name, address) => {
      const { page } = await visits.openAs(person, undefined, { width: 390 });
      await watchShifts(page);
      const bytes = await narrow(page);
      await page.goto(visits.service.url + address(), { waitUntil: "commit" });
      await wordsOn(page).waitFor();
      expect.soft(bytes(), `bytes of ${name}`).toBeLessThan(mostBytes);
      await settle(page);
      await shoot(page, `slow-${name}-390`);
      const isFrameFirst = await page.evaluate(() => {
        const painted = performance.getEntriesByName("first-paint")[0]!.startTime;
        const code = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        return code.some(({ name: file, responseEnd }) => file.includes("/assets/") && responseEnd > painted);
      });
      expect(isFrameFirst).toBe(true);
      const { score, what } = await shiftsOf(page);
      expect(score, JSON.stringify(what)).toBeLessThanOrEqual(mostShift);
    });
  });

  /** Runs in the page: controls without an edge, hits and bars that look like what is around them. */
  function unseenParts(): readonly string[] {
    const problems: string[] = [];
    const note = (problem: string, element: Element): void =>
      void problems.push(`${problem}: ${element.outerHTML.slice(0, 140)}`);
    const isVisible = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1;
    const hasEdge = (style: CSSStyleDeclaration): boolean =>
      (style.borderTopStyle !== "none" && Number.parseFloat(style.borderTopWidth) > 0) ||
      (style.borderBottomStyle !== "none" && Number.parseFloat(style.borderBottomWidth) > 0);
    for (const control of document.querySelectorAll(
      "main .button:not(.ghost), main .input, main .chip, main .card, main .cue",
    ))
      if (
        isVisible(control) &&
        ![control, control.closest(".paste")].some((one) => one && hasEdge(getComputedStyle(one)))
      )
        note("no edge", control);
    for (const hit of document.querySelectorAll("main mark"))
      if (getComputedStyle(hit).backgroundColor === getComputedStyle(document.body).backgroundColor)
        note("no hit to see", hit);
    for (const bar of document.querySelectorAll("main .meter")) {
      const [fill] = bar.children;
      if (!hasEdge(getComputedStyle(bar))) note("no bar to see", bar);
      if (fill && getComputedStyle(fill).backgroundColor === getComputedStyle(bar).backgroundColor)
        note("no share to see", bar);
    }
    return problems;
  }

  describe.each(["light", "dark"] as const)("with forced colors, %s", (colorScheme) => {
    test.each([...pages, ["search", () => "/app/library?query=salt"]] as typeof pages)(
      "%s has edges, hits and a focus to see",
      async (name, address) => {
        const viewport = { width: 1440, height: heightAt(1440) };
        const context = await openContext({ forcedColors: "active", colorScheme, viewport });
        onTestFinished(() => context.close());
        await context.addCookies(cookiesOf(person, visits.service.url));
        const page = await context.newPage();
        await page.goto(visits.service.url + address());
        await page.getByRole("main").getByText("Salt").filter({ visible: true }).first().waitFor();
        await settle(page);
        await shoot(page, `forced-${colorScheme}-${name}-1440`);
        expect(await page.evaluate(unseenParts)).toEqual([]);
        const link = page.getByRole("main").getByRole("link").last();
        expect((await tabTo(page, link)).filter((problem) => problem.startsWith("no focus"))).toEqual([]);
        await page.setViewportSize({ width: 390, height: heightAt(390) });
        await settle(page);
        await shoot(page, `forced-${colorScheme}-${name}-390`);
        expect(await page.evaluate(unseenParts)).toEqual([]);
        expect(await sticksOut(page)).toEqual([]);
      },
    );
  });
});
