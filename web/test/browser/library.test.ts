import { readFile } from "node:fs/promises";
import { restorableDays } from "@reelscript/contract/values";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFocus, lookAt, settle, shoot, sticksOut } from "./page-checks.ts";
import { heightAt, type SignedInVisitor, visitsOfTests } from "./start-visits.ts";

const hindi = [
  { start: 0, end: 3, text: "नमस्ते दोस्तों, आज हम चाय बनाएँगे।" },
  { start: 3.5, end: 7, text: "अदरक और इलायची से स्वाद आता है।" },
];
const arabic = [
  { start: 0, end: 2.5, text: "مرحبا بكم في مطبخي الصغير." },
  { start: 2.75, end: 6, text: "اليوم نطبخ القهوة العربية مع الهيل." },
];
const whole = (segments: typeof hindi): string => segments.map(({ text }) => text).join(" ");

/** One of whose segments the file formats have something to write of. */
const english = [
  { start: 0, end: 2.25, text: "Salt & pepper come first." },
  { start: 2.5, end: 4.125, text: "Then the morning bread." },
];

describeInBrowser("the library in a browser", () => {
  const visits = visitsOfTests();

  const add = (
    visitor: SignedInVisitor,
    ...rest: Parameters<typeof addScript> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => addScript(visits.service, visitor.person.accountId, ...rest);

  /** A library with a script in each of three languages by three accounts; the Arabic one has the most views. */
  let readers = 0;
  async function aReader(
    name: string,
  ): Promise<SignedInVisitor & { readonly ids: Record<"hi" | "ar" | "en", string> }> {
    // A test that is tried again begins with a library of its own.
    const visitor = await visits.openAs(`${name}${(readers += 1)}@example.com`);
    const facts = { handle: "chai.ghar", views: 1_000, likes: 90, comments: 10 };
    const hi = await add(visitor, { text: whole(hindi), ...facts }, { segments: hindi, language: "hi" });
    const ar = await add(
      visitor,
      { text: whole(arabic), ...facts, handle: "qahwa", views: 9_000 },
      { segments: arabic, language: "ar" },
    );
    const en = await add(
      visitor,
      { text: whole(english), ...facts, handle: "lena.bakes", views: 40 },
      { segments: english },
    );
    await visitor.page.goto(`${visits.service.url}/app/library`);
    await rows(visitor.page).nth(2).waitFor();
    return { ...visitor, ids: { hi, ar, en } };
  }

  const rows = (page: Page): Locator => page.getByRole("region", { name: "Scripts" }).getByRole("listitem");
  const search = (page: Page): Locator => page.getByRole("searchbox", { name: "Search transcripts and captions" });
  /** Handles of the rows, from the top. */
  const handles = async (page: Page): Promise<string[]> => rows(page).locator(".meta b").allInnerTexts();
  const directionOf = (locator: Locator): Promise<string> =>
    locator.evaluate((element) => getComputedStyle(element).direction);

  test("finds Hindi during typing, marks it, and shows its time", async () => {
    const { page } = await aReader("hindi");
    await search(page).pressSequentially("इलायची");
    await page.getByText("1 result for “इलायची”").waitFor();
    await expect.poll(() => rows(page).locator("mark").allInnerTexts()).toEqual(["इलायची"]);
    await expect.poll(() => directionOf(rows(page).locator(".words"))).toBe("ltr");
    await expect.poll(() => rows(page).locator(".words").getAttribute("lang")).toBe("hi");
    await expect.poll(() => rows(page).locator(".meta").innerText()).toMatch(/^Said at\s+0:03\s/);

    await rows(page).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: /नमस्ते दोस्तों/ }).waitFor();
    const said = page.getByRole("article", { name: "Transcript" }).locator('[aria-current="true"]');
    await expect.poll(() => said.innerText()).toBe(hindi[1]!.text);
    await expect.poll(() => said.locator("mark").allInnerTexts()).toEqual(["इलायची"]);
    await page.goBack();
    await page.getByText("1 result for “इलायची”").waitFor();
    await expect.poll(() => search(page).inputValue()).toBe("इलायची");
  });

  test("finds Arabic under its article, and shows it from right to left", async () => {
    const { page } = await aReader("arabic");
    await search(page).fill("قهوة");
    await page.getByText("1 result for “قهوة”").waitFor();
    const words = rows(page).locator(".words");
    await expect.poll(() => words.locator("mark").allInnerTexts()).toEqual(["القهوة"]);
    expect([await directionOf(words), await words.getAttribute("lang")]).toEqual(["rtl", "ar"]);
    await expect.poll(() => directionOf(search(page)), { message: "also what is typed" }).toBe("rtl");
    // The lines of its cue start at the right edge, as the writing does: mirrored, or drawn so.
    const drawn = await rows(page)
      .locator(".cue svg")
      .evaluate((svg) => {
        const box = svg.getBoundingClientRect();
        const lines = svg.querySelector("path")!.getBoundingClientRect();
        return { left: lines.left - box.left, right: box.right - lines.right };
      });
    expect(drawn.right, JSON.stringify(drawn)).toBeLessThanOrEqual(drawn.left);

    await rows(page).getByRole("link").click();
    const segment = page.getByRole("article", { name: "Transcript" }).getByText("القهوة");
    for (const element of [segment, page.getByRole("heading", { level: 1 })])
      await expect.poll(() => directionOf(element)).toBe("rtl");
    await expect
      .poll(() => directionOf(page.locator("html")), { message: "the page around it is not turned" })
      .toBe("ltr");
  });

  test("filters by account and sorts by address, and shows empty results", async () => {
    const { page } = await aReader("sorter");
    await expect.poll(() => handles(page)).toEqual(["@lena.bakes", "@qahwa", "@chai.ghar"]);
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Most views");
    await expect.poll(() => handles(page)).toEqual(["@qahwa", "@chai.ghar", "@lena.bakes"]);
    expect(await page.getByText(/^(Views|Engagement|Posted)$/).allInnerTexts()).toEqual([
      "Views",
      "Engagement",
      "Posted",
    ]);
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Most engagement");
    await expect.poll(() => handles(page)).toEqual(["@lena.bakes", "@chai.ghar", "@qahwa"]);
    await page.getByRole("combobox", { name: "Account" }).selectOption("@qahwa (1)");
    await expect.poll(() => handles(page)).toEqual(["@qahwa"]);
    await page.reload();
    await expect.poll(() => handles(page)).toEqual(["@qahwa"]);
    await search(page).fill("bread");
    await page.getByText("No script by @qahwa says “bread”").waitFor();
    await page.getByRole("button", { name: "Clear search" }).last().click();
    await expect.poll(() => handles(page)).toEqual(["@qahwa"]);
  });

  test("filters by language and length with counts, by address and in searches", async () => {
    const { page, go, person } = await visits.openAs("filters@example.com");
    const { service } = visits;
    const addOf = (text: string, language: string, seconds: number) =>
      addScript(service, person.accountId, { text, handle: "many.tongues" }, { language, seconds });
    await addOf("Bread in the morning.", "en", 12);
    await addOf("Bread, and how long it rests.", "en", 45);
    await addOf("Brot am Morgen.", "de", 200);
    await page.goto(`${service.url}/app/library`);
    await page.getByText("3 scripts", { exact: true }).waitFor();
    const language = page.getByRole("combobox", { name: "Language" });
    const length = page.getByRole("combobox", { name: "Length" });
    await expect
      .poll(() => language.getByRole("option").allInnerTexts())
      .toEqual(["All languages", "English (2)", "German (1)"]);
    await expect
      .poll(() => length.getByRole("option").allInnerTexts())
      .toEqual(["Any length", "Under 30 s (1)", "30 to 60 s (1)", "Over 3 min (1)"]);
    await language.selectOption("English (2)");
    await page.getByText("2 scripts in English").waitFor();
    await length.selectOption("30 to 60 s (1)");
    await page.getByText("1 script in English, 30 to 60 s").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("length")).toBe("30to60s");
    await page.reload();
    await page.getByText("1 script in English, 30 to 60 s").waitFor();
    await lookAt(page, "library-filters");
    await search(page).fill("morning");
    await page.getByText("No script in English, 30 to 60 s says “morning”").waitFor();
    await length.selectOption("Any length");
    await page.getByText(/1 result for “morning” in English/).waitFor();
    await go("/app/library?language=ta&length=nonsense");
    await page.getByText("No script in Tamil").waitFor();
    await lookAt(page, "library-filters-none");
    await page.getByRole("button", { name: "Show all scripts" }).click();
    await page.getByText("3 scripts", { exact: true }).waitFor();
  });

  test("loads on scrolling, restores the position, and selects ranges or all results", async () => {
    const visitor = await visits.openAs("collector@example.com");
    const { page, go, person } = visitor;
    await add(visitor, { text: "Coffee only.", handle: "many.words" });
    for (let number = 1; number <= 60; number += 1)
      await add(visitor, { text: `Number ${number} of many words.`, handle: "many.words" });
    const second = page.waitForRequest((request) => request.url().includes("cursor="));
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByText("61 scripts", { exact: true }).waitFor();
    const names = new Set<string>();
    await expect
      .poll(
        async () => {
          for (const name of await rows(page).getByRole("link").allInnerTexts()) names.add(name);
          await page.mouse.wheel(0, 700);
          return names.size;
        },
        { interval: 300 },
      )
      .toBe(61);
    await second;
    expect(await rows(page).count(), "what is far away isn't drawn").toBeLessThan(45);
    const last = rows(page).last();
    await expect.poll(() => last.getAttribute("aria-posinset")).toBe("61");
    expect(await last.getAttribute("aria-setsize")).toBe("61");
    const link = page.getByRole("link", { name: "Number 3 of many words." });
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate("scrollY");
    await link.click();
    await page.getByRole("heading", { level: 1, name: /Number 3/ }).waitFor();
    await page.goBack();
    await link.waitFor();
    await expect.poll(() => page.evaluate("scrollY")).toBe(before);

    await go("/app/library?query=number");
    await page.getByText("60 results for “number”").waitFor();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const bar = page.getByRole("region", { name: "Selected scripts" });
    const boxes = page.getByRole("checkbox");
    await boxes.nth(1).click();
    await boxes.nth(6).click({ modifiers: ["Shift"] });
    await bar.getByText("6 selected").waitFor();
    await rows(page)
      .nth(9)
      .click({ modifiers: ["Shift"] });
    await bar.getByText("9 selected").waitFor();
    await boxes.nth(4).click({ modifiers: ["Shift"] });
    await bar.getByText("3 selected").waitFor();
    await bar.getByRole("button", { name: "Select all 60 found" }).click();
    await bar.getByText("60 selected").waitFor();
    await shoot(page, "selection-of-all");
    await bar.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete 60 scripts?" });
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByText("60 scripts deleted").waitFor();
    // A page of the same process, which never leaves before the one that it follows was told to hide.
    await page.goto(`${visits.service.url}/privacy`);
    await expect.poll(async () => (await person.api("searchMyScripts", {})).body.total).toBe(1);
  });

  test("copies a script and gives it as a file", async () => {
    const { page, ids } = await aReader("copier");
    await page.goto(`${visits.service.url}/app/scripts/${ids.en}`);
    await Promise.all([
      page.getByRole("status").getByText("Copied 8 words").waitFor(),
      page.getByRole("button", { name: "Copy", exact: true }).click(),
    ]);
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(whole(english));

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("button", { name: "Export" })
        .click()
        .then(() => page.getByRole("link", { name: "Download VTT" }).click()),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.vtt$/);
    expect((await readFile(await download.path(), "utf8")).trimEnd()).toBe(
      `WEBVTT\n\n00:00:00.000 --> 00:00:02.250\nSalt &amp; pepper come first.\n\n00:00:02.500 --> 00:00:04.125\n${english[1]!.text}`,
    );
    await page.getByRole("button", { name: "Export" }).click();
    for (const form of ["TXT", "SRT"])
      expect(await page.getByRole("link", { name: `Download ${form}` }).getAttribute("href")).toContain(
        form.toLowerCase(),
      );
  });

  test("exports several scripts together, and deletes them", async () => {
    const { page, ids, person } = await aReader("several");
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const bar = page.getByRole("region", { name: "Selected scripts" });
    await expectFocus(bar);
    await bar.getByRole("button", { name: "Done" }).click();
    await page.locator("button:focus", { hasText: "Select" }).press("Enter");
    await page.getByRole("checkbox", { name: /@lena.bakes/ }).check();
    // The whole row selects.
    await rows(page).nth(1).click();
    await bar.getByText("2 selected").waitFor();
    await shoot(page, "selection");
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    const middles = async (): Promise<number> => {
      const boxes = await Promise.all((await bar.getByRole("button").all()).map((button) => button.boundingBox()));
      return new Set(boxes.map((box) => box && Math.round(box.y + box.height / 2))).size;
    };
    await expect.poll(middles, { message: "one row on phones" }).toBe(1);
    expect(await sticksOut(page)).toEqual([]);
    await bar.getByRole("button", { name: "Done" }).scrollIntoViewIfNeeded();
    await shoot(page, "selection-390");
    await page.setViewportSize({ width: 1440, height: heightAt(1440) });
    const fileOf = async (name: string): Promise<string> => {
      const download = page.waitForEvent("download");
      await bar.getByRole("button", { name }).click();
      return readFile(await (await download).path(), "utf8");
    };
    const text = await fileOf("Text");
    expect(text).toMatch(/^@lena\.bakes[\s\S]*Then the morning bread\.\n[\s\S]*@qahwa[\s\S]*القهوة العربية/);
    expect(text).not.toContain("नमस्ते");
    const lines = (await fileOf("CSV")).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("Salt & pepper come first. Then the morning bread.");

    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 scripts deleted").waitFor();
    // They are deleted at once, and come back as long as somebody is at it.
    const status = async () => (await person.api("getScript", { id: ids.en })).status;
    await page.getByRole("button", { name: "Undo" }).focus();
    await expect.poll(status, { message: "also while the toast shows" }).toBe(404);
    await expect.poll(() => handles(page)).toEqual(["@chai.ghar"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => handles(page)).toHaveLength(3);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await bar.getByRole("button", { name: "Select all 3 shown" }).click();
    await page.getByRole("checkbox", { name: /@chai.ghar/ }).uncheck();
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 scripts deleted").waitFor();
    // Whoever leaves meanwhile meant it.
    await page.goto(`${visits.service.url}/privacy`);
    for (const id of [ids.en, ids.ar])
      await expect.poll(async () => (await person.api("getScript", { id })).status).toBe(404);
    expect((await person.api("getScript", { id: ids.hi })).status).toBe(200);
  });

  test("deletes a script, takes that back, and deletes it for good", async () => {
    const { page, ids, person } = await aReader("tidy");
    const remove = async (): Promise<void> => {
      await page.goto(`${visits.service.url}/app/scripts/${ids.en}`);
      await page.getByRole("button", { name: "Delete from library" }).click();
      await page.getByText("Script deleted").waitFor();
    };
    const status = async () => (await person.api("getScript", { id: ids.en })).status;
    await remove();
    await page.getByRole("button", { name: "Undo" }).focus();
    await expect.poll(status, { message: "also while the toast shows" }).toBe(404);
    await expect.poll(() => handles(page)).toEqual(["@qahwa", "@chai.ghar"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => handles(page)).toEqual(["@lena.bakes", "@qahwa", "@chai.ghar"]);
    expect(await status()).toBe(200);

    await remove();
    await expect.poll(() => handles(page)).toEqual(["@qahwa", "@chai.ghar"]);
    await expect.poll(status).toBe(404);
    await page.reload();
    await page.getByText("2 scripts", { exact: true }).waitFor();
  });

  test("restores everything that is deleted, and nothing twice", async () => {
    const { page, ids, person, expectRefusals } = await aReader("restorer");
    const all = Object.values(ids);
    await person.api("deleteScripts", { ids: all });
    await page.goto(`${visits.service.url}/app/deleted`);
    await page.getByText(`Deleted today, ${restorableDays} days left`).first().waitFor();
    const one = page.getByRole("button", { name: "Restore", exact: true });
    expect(await one.count()).toBe(all.length);
    // Another tab was faster.
    await person.api("restoreScripts", { ids: all.slice(0, 1) });
    await person.api("deleteScripts", { ids: all.slice(0, 1) });
    await page.getByRole("button", { name: "Restore all" }).click();
    await page.getByText(`${all.length} scripts restored`).waitFor();
    await page.getByText("Nothing is deleted").waitFor();
    expect((await person.api("searchMyScripts", {})).body.total).toBe(all.length);

    await person.api("deleteScripts", { ids: all.slice(0, 1) });
    await page.reload();
    await one.waitFor();
    await person.api("restoreScripts", { ids: all.slice(0, 1) });
    expectRefusals(404);
    await one.click();
    await page.getByText("Nothing is deleted").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("asks whether a similar word is meant, and searches names", async () => {
    const { page } = await aReader("typist");
    await search(page).fill("braed");
    await page.getByText("Did you mean bread?").waitFor();
    await expect.poll(() => handles(page)).toEqual(["@lena.bakes"]);
    await shoot(page, "library-similar");
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    expect(await sticksOut(page)).toEqual([]);
    await shoot(page, "library-similar-390");
    await page.setViewportSize({ width: 1440, height: heightAt(1440) });
    await page.getByRole("link", { name: "bread", exact: true }).click();
    await expect.poll(() => search(page).inputValue()).toBe("bread");
    await expect.poll(() => page.getByText("Did you mean").count()).toBe(0);
    await search(page).fill("@chai.ghar");
    await expect.poll(() => handles(page)).toEqual(["@chai.ghar"]);
  });

  test("on a phone has its first script in the first screen, and its filters folded", async () => {
    const { page, person } = await visits.openAs("phone.reader@example.com", undefined, { width: 390 });
    for (const text of ["First of all, salt.", "Then the dough rests."])
      await addScript(visits.service, person.accountId, { text, handle: "lena.bakes" });
    await page.goto(`${visits.service.url}/app/library`);
    const first = page.locator(".list li").first();
    await first.waitFor();
    // The tab bar has Transcribe.
    const shownInHead = page.getByRole("main").getByRole("link", { name: /^(Transcribe|Deleted)$/ });
    expect(await shownInHead.allInnerTexts()).toEqual(["Deleted"]);
    await settle(page);
    const { y, height } = (await first.boundingBox()) ?? { y: Number.NaN, height: 0 };
    const tabBar = (await page.locator(".tab-bar").boundingBox())?.y ?? Number.NaN;
    expect(y + height, "whole, above the bar").toBeLessThan(tabBar);
    expect(await page.getByRole("combobox").count()).toBe(0);
    await shoot(page, "library-phone");
    await page.getByText("Filters and sorting", { exact: true }).click();
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Most views");
    await page.getByText("Filters and sorting (1)").waitFor();
    await page.setViewportSize({ width: 1440, height: heightAt(1440) });
    await expect.poll(() => page.getByRole("combobox", { name: "Sort" }).inputValue()).toBe("views");
    const unknown = page.getByText(/^(Views|Engagement)$/);
    expect(await unknown.filter({ visible: true }).count(), "columns of which nothing is known").toBe(0);
  });
});
