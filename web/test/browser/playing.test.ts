import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createScriptedTranscriber, type ScriptedSpeech } from "../../../server/test/harness/scripted-transcriber.ts";
import { aReel, transcriptOf } from "../../../server/test/database/conformance/fixtures.ts";
import { addScript, openScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFocus, lookAt } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const segments = [
  { start: 0, end: 3, text: "Salt comes first of all." },
  { start: 3, end: 6.5, text: "Then the yeast rises, and the dough." },
  { start: 7, end: 10, text: "Never salt the yeast itself." },
];
const text = segments.map((segment) => segment.text).join(" ");
const words = text
  .split(/(?= )/)
  .map((word, index) => ({ start: index / 2, end: index / 2 + 0.4, text: word, probability: index === 7 ? 0.2 : 0.9 }));
const secondOf = (word: string): number => words.find((one) => one.text.trim() === word)!.start;

describeInBrowser("a script that plays, in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber });

  /** A page of a script whose reel the stand-in has, and where the browser asked besides the service. */
  async function aListener(search = "", speech: ScriptedSpeech = { text, segments, words }) {
    const [spoken] = visits.service.standin.reels.filter(({ kind, seconds }) => kind === "speech" && seconds > 20);
    const reel = { bytes: await spoken!.media[0]!.load(), seconds: spoken!.seconds };
    const visitor = await openScript(visits, transcriber, speech, { search, reel });
    await article(visitor.page).waitFor();
    return visitor;
  }
  const article = (page: Page) => page.getByRole("article", { name: "Transcript" });
  const said = (page: Page) => article(page).locator("[data-word].said");
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const video = <Value>(page: Page, read: (element: HTMLVideoElement) => Value): Promise<Value> =>
    page.locator("video").evaluate(read as (element: Element) => Value);

  test("loads nothing before playing, marks the spoken word, and seeks on click", async () => {
    const { page } = await aListener();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(visits.service.url) && /^https?:/.test(request.url()))
        elsewhere.push(request.url());
    });
    await page.reload();
    await article(page).waitFor();
    expect(elsewhere, "nothing leaves").toEqual([]);
    await expect.poll(() => said(page).count()).toBe(0);
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    const marked = () =>
      article(page)
        .locator("[data-word]")
        .evaluateAll((all) => all.findIndex(({ classList }) => classList.contains("said")));
    await expect.poll(marked, { message: "the mark follows" }).toBeGreaterThan(1);
    await button(page, "Pause").click();
    await button(page, "Play").waitFor();
    const spoken = await video(page, ({ currentTime }) => Math.floor(currentTime * 2 + 0.002));
    await expect.poll(marked).toBe(Math.min(spoken, words.length - 1));
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    expect(new Set(elsewhere.map((address) => new URL(address).origin))).toEqual(
      new Set([visits.service.standin.origin, visits.service.standin.mediaOrigin]),
    );

    await article(page).getByText("itself", { exact: false }).last().waitFor();
    await article(page).locator(".line").nth(2).locator("[data-word]").nth(3).click();
    await expect
      .poll(() => video(page, ({ currentTime }) => currentTime))
      .toBeGreaterThanOrEqual(secondOf("itself.") - 1);
    await expect.poll(() => page.url()).toContain(`t=${words.at(-2)!.start}`);
    await page.keyboard.press("Space");
    await button(page, "Play").waitFor();
    await expect.poll(() => video(page, ({ paused }) => paused)).toBe(true);
    await page.keyboard.press("Space");
    await button(page, "Pause").waitFor();
    await page.keyboard.press("/");
    const find = page.getByRole("searchbox", { name: "Find in this script" });
    await expectFocus(find);
    await page.keyboard.type("salt the");
    await expect.poll(() => find.inputValue()).toBe("salt the");
    await expect
      .poll(() => video(page, ({ paused }) => paused), { message: "a space that is typed pauses nothing" })
      .toBe(false);
  });

  test("a search hit opens at its word and plays with one click", async () => {
    const { page } = await aListener("?query=dough&t=3");
    const word = async () => (await said(page).allInnerTexts()).join("");
    await expect.poll(word).toBe("dough.");
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    await expect
      .poll(() => video(page, ({ played }) => (played.length === 0 ? 99 : played.start(0))))
      .toBeCloseTo(secondOf("dough."), 1);
  });

  test("unsure words are dotted, and said to be so", async () => {
    const { page } = await aListener();
    const unsure = article(page).locator(".unsure");
    await expect.poll(() => unsure.allInnerTexts()).toEqual(["yeast"]);
    await expect.poll(() => unsure.evaluate((word) => getComputedStyle(word).textDecorationStyle)).toBe("dotted");
    await page.getByText("1 unsure word").waitFor();
    await button(page, "Next unsure word").click();
    await expect.poll(() => said(page).allInnerTexts()).toEqual(["yeast"]);
    await page.getByText("“yeast”, at 0:03").waitFor();
  });

  test("Hindi says that it is a draft, and breaks between words", async () => {
    const lines = [
      "उन्होंने विद्यार्थियों को अपने स्वास्थ्य और प्रकृति की देखभाल करने की सलाह भी दी।",
      "इस चिकित्सालय में 2018 से चौबीसों घंटे पशुओं के उपचार की सुविधा उपलब्ध रहेगी।",
    ];
    const spokenLines = lines.map((line, index) => ({ start: index * 8, end: index * 8 + 7, text: line }));
    const spoken = lines
      .join(" ")
      .split(/(?= )/u)
      .map((word, index) => ({
        start: index / 2,
        end: index / 2 + 0.4,
        text: word,
        probability: index === 1 ? 0.2 : 0.9,
      }));
    const speech = {
      text: lines.join(" "),
      segments: spokenLines,
      words: spoken,
      language: "hi",
      model: "whisper-base",
    };
    const { page } = await aListener("", speech);
    await page.getByText("A rough draft: the model gets many words of Hindi wrong.").waitFor();
    await expect.poll(() => article(page).locator(".unsure").allInnerTexts()).toEqual(["विद्यार्थियों"]);
    await page.setViewportSize({ width: 390, height: 844 });
    const broken = () =>
      article(page)
        .locator("[data-word]")
        .evaluateAll((all) => all.filter((word) => word.getClientRects().length > 1).map((word) => word.textContent));
    // No letter is parted from its signs, and no word is cut.
    await expect.poll(broken).toEqual([]);
    await lookAt(page, "script-hindi");
    await article(page).locator("[data-word]").nth(1).click();
    await expect.poll(() => said(page).allInnerTexts()).toEqual(["विद्यार्थियों"]);
    await button(page, "Play").click();
    const later = async () => (await said(page).allInnerTexts()).some((word) => word !== "विद्यार्थियों");
    await expect.poll(later, { message: "words light up as they are said" }).toBe(true);
  });

  test("Instagram’s own player is loaded only when it is asked for", async () => {
    const { page, person, context } = await visits.openAs("viewer@example.com");
    const requestedUrls: string[] = [];
    await context.route("https://www.instagram.com/**", async (route) => {
      requestedUrls.push(route.request().url());
      await route.fulfill({ contentType: "text/html", body: "<title>A reel</title>" });
    });
    const { reel } = transcriptOf(aReel(), { text });
    const url = "https://www.instagram.com/reel/C1a-b_2/";
    const id = await addScript(visits.service, person.accountId, { text }, { segments, reel: { ...reel, url } });
    await page.goto(`${visits.service.url}/app/scripts/${id}`);
    const show = button(page, "Show reel");
    await show.waitFor();
    expect([requestedUrls, await page.locator("iframe").count()]).toEqual([[], 0]);
    await show.click();
    await page.getByTitle("The reel on Instagram").waitFor();
    await expect.poll(() => requestedUrls).toEqual(["https://www.instagram.com/reel/C1a-b_2/embed/"]);
    await page.getByText("so the words don’t follow it").waitFor();
    await button(page, "Hide reel").click();
    await expect.poll(() => page.locator("iframe").count()).toBe(0);
  });

  test("corrects a word, then the others like it, and undoes each", async () => {
    const said = "Ask Astorisk. Astorisk knows; Astorisks do not.";
    const lines = [
      { start: 0, end: 4, text: said },
      { start: 5, end: 8, text: "An Astorisk, then." },
    ];
    const { page, transcript } = await aListener("", {
      text: lines.map((line) => line.text).join(" "),
      segments: lines,
      words: lines.flatMap((line, lineIndex) =>
        (line.text.match(/ ?\S+/g) ?? []).map((word, index) => ({
          start: line.start + index / 4,
          end: line.start + index / 4 + 0.2,
          text: lineIndex === 1 && index === 0 ? ` ${word}` : word,
        })),
      ),
    });
    const word = page.locator("[data-word]").nth(1);
    await word.dblclick();
    const field = page.getByRole("textbox", { name: "Correct “Astorisk”" });
    await expectFocus(field);
    await expect.poll(() => field.evaluate((input: HTMLInputElement) => input.value)).toBe("Astorisk");
    await page.keyboard.press("Escape");
    await expect.poll(() => field.count()).toBe(0);
    await word.dblclick();
    await expectFocus(field);
    await page.keyboard.type("Asterisk");
    await page.keyboard.press("Enter");
    await expect.poll(transcript).toBe("Ask Asterisk. Astorisk knows; Astorisks do not. An Astorisk, then.");
    await page.getByRole("button", { name: "Also correct 2 other “Astorisk”" }).click();
    await expect.poll(transcript).toBe("Ask Asterisk. Asterisk knows; Astorisks do not. An Asterisk, then.");
    await expect.poll(() => page.getByRole("button", { name: /^Also correct/ }).count()).toBe(0);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect.poll(transcript).toBe("Ask Asterisk. Astorisk knows; Astorisks do not. An Astorisk, then.");
  });

  test("keeps a word that could not be saved as a draft", async () => {
    const { page, transcript, expectRefusals } = await aListener();
    expectRefusals(503);
    await page.route("**/correction", async (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "Away." } } })
        : route.continue(),
    );
    await page.locator("[data-word]").filter({ hasText: "dough" }).dblclick();
    await expectFocus(page.getByRole("textbox", { name: /^Correct “dough/ }));
    await page.keyboard.type("bread");
    await page.keyboard.press("Enter");
    await page.getByText("Your unsaved changes are back.").waitFor();
    await page.unroute("**/correction");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(transcript).toContain("and the bread.");
  });

  test("shows paragraphs first, one row of actions, and deletion last", async () => {
    const lines = [...segments, { start: 14, end: 16, text: "Bake it tomorrow." }];
    const { page } = await aListener("", { text: `${text} Bake it tomorrow.`, segments: lines });
    const paragraphs = article(page).getByRole("listitem");
    await expect.poll(() => paragraphs.count()).toBe(2);
    await expect.poll(() => paragraphs.first().locator("p").innerText()).toBe(text);
    await page.getByText("Press a word twice to fix it.").waitFor();
    await lookAt(page, "script-read");
    await page.getByRole("button", { name: "Got it" }).click();
    await page.reload();
    await article(page).waitFor();
    await page.getByText("Captions", { exact: true }).click();
    await expect.poll(() => paragraphs.count()).toBe(4);
    expect(await page.getByText("Press a word twice to fix it.").count(), "said once").toBe(0);
    await paragraphs.nth(1).hover();
    await page.getByRole("link", { name: "Go to 0:07" }).click();
    const ground = (row: number) => paragraphs.nth(row).evaluate((item) => getComputedStyle(item).backgroundColor);
    expect(await ground(2), "the current line").not.toBe(await ground(0));

    const width = async () => (await button(page, "Play").boundingBox())?.width;
    const before = await width();
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    expect((await button(page, "Pause").boundingBox())?.width).toBe(before);
    await button(page, "Pause").click();
    const actions = page.getByRole("toolbar", { name: "Script" }).getByRole("button");
    const names = ["Play", "Copy", "Share", "Export", "Correct"];
    await expect.poll(() => actions.allInnerTexts()).toEqual(names);
    const tops = (await Promise.all(names.map((name) => button(page, name).boundingBox()))).map((box) => box?.y);
    expect(new Set(tops).size, "one row").toBe(1);
    const last = page.getByRole("main").locator("a, button, summary, input").last();
    await expect.poll(() => last.innerText()).toBe("Delete from library");

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.getByRole("main").locator("button").last().innerText()).toBe("Correct");
    const bar = await page.getByRole("toolbar", { name: "Script" }).boundingBox();
    expect(bar && bar.y + bar.height, "over the tabs").toBeGreaterThan(780);
    await button(page, "Export").click();
    const entry = await page.getByRole("link", { name: "Download SRT" }).boundingBox();
    expect(entry && entry.y + entry.height, "its menu is over it").toBeLessThan(bar!.y);
  });

  test("is downloaded as subtitles of single words, with the speed at which they must be read", async () => {
    const { page } = await aListener();
    await button(page, "Export").click();
    await button(page, "Other subtitles…").click();
    const dialog = page.getByRole("dialog", { name: "Subtitles" });
    await dialog.getByLabel("Format").selectOption("ass");
    const before = await dialog.getByRole("status").filter({ hasText: "per second" }).innerText();
    await dialog.getByLabel("Words at a time").selectOption("1");
    await expect.poll(() => dialog.getByRole("status").innerText()).not.toBe(before);
    expect(await dialog.getByRole("status").innerText()).toMatch(/^[\d.]+ characters per second to read, [\d.]+ in/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^scr_.*\.ass$/);
    const file = await readFile(await download.path(), "utf8");
    expect(file.match(/^Dialogue: .*,,(?=\S+$)/gm)).toHaveLength(words.length);
    await dialog.waitFor({ state: "detached" });
  });

  test("looks right and hinders nobody", async () => {
    const { page } = await aListener();
    await button(page, "Play").click();
    await expect.poll(() => video(page, ({ currentTime }) => currentTime)).toBeGreaterThan(3.2);
    await button(page, "Pause").click();
    await lookAt(page, "playing");
  });
});
