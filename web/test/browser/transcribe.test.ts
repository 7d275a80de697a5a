import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { SpeechNotRecognized } from "../../../server/src/recognition/recognition-errors.ts";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFocus, shoot, sticksOut } from "./page-checks.ts";
import { aMoment, heightAt, type SignedInVisitor, visitsOfTests } from "./start-visits.ts";

/** Ten seconds. */
const short = "CenAmiable1";
const text = "Had he married a more amiable woman, he might have been made still more respectable than he was.";

describeInBrowser("transcribing in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber, repeated: ["advance-batches"], slots: 1 });

  const linkOf = (code: string): string => visits.service.standin.urlOf(code);
  const field = (page: Page): Locator => page.getByRole("textbox", { name: "Reel links" });
  const start = async (page: Page, text: string): Promise<void> => {
    await field(page).fill(text);
    await page.getByRole("button", { name: /^Transcribe/ }).click();
  };
  const jobs = (page: Page): Locator => page.getByRole("region", { name: "Your reels" }).getByRole("article");

  /** Uses up what people of an account may have transcribed. */
  async function useUp({ person }: SignedInVisitor, units: number): Promise<void> {
    for (let unit = 0; unit < units; unit += 1) {
      const { code } = visits.service.standin.addReel({ bytes: Buffer.from("not looked at") });
      transcriber.tell({ text });
      expect((await person.api("transcribeReel", { url: linkOf(code) })).status).toBe(200);
    }
  }

  test("finds a link in text, shows progress, and fills the library", async () => {
    const { page } = await visits.openAs("writer@example.com");
    const sessionKnown = aMoment();
    const recognition = aMoment();
    await page.route("**/app/api/session", async (route) => {
      await sessionKnown.come;
      await route.continue();
    });
    await page.goto(`${visits.service.url}/app/transcribe`);
    transcriber.tell(() => recognition.come.then(() => ({ text })));
    await start(page, `Look at this one: ${linkOf(short)}?igsh=abc — so good, isn't it?`);
    // An early press, before the page knows the person, needn't be repeated.
    sessionKnown.release();
    await jobs(page).getByRole("progressbar", { name: "Transcribing" }).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("");
    recognition.release();
    await jobs(page).getByText("1 transcription").waitFor();
    await expect.poll(() => jobs(page).locator(".live").innerText()).toMatch(/amiable woman/);
    await jobs(page).getByText("English, 0:10").waitFor();
    await jobs(page).getByRole("button", { name: "How well we read this language" }).click();
    await jobs(page)
      .getByText(/^English: .*\.$/)
      .waitFor();
    await page.keyboard.press("Escape");

    await jobs(page).getByRole("link", { name: "Open" }).click();
    await page
      .getByRole("article", { name: "Transcript" })
      .getByText(/amiable woman/)
      .first()
      .waitFor();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /^Library/ })
      .first()
      .click();
    await page.getByText("1 script", { exact: true }).waitFor();
    await page.getByRole("link", { name: /amiable woman/ }).waitFor();
  });

  test("is free from the cache, and says so before and after", async () => {
    const first = await visits.openAs("first@example.com");
    const done = await first.person.api("transcribeReel", { url: linkOf(short) });
    expect(done.status).toBe(200);

    const { page, person } = await visits.openAs("second@example.com", "/app/transcribe");
    await field(page).fill(linkOf(short));
    await page.getByText("1 reel found. Free: already transcribed.").waitFor();
    await page.getByRole("button", { name: "Transcribe", exact: true }).click();
    await jobs(page).getByText("Free: already transcribed").waitFor();
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(0);
  });

  test("marks the languages that the running model cannot read", async () => {
    const { page } = await visits.openAs("chooser@example.com", "/app/transcribe");
    const names = page.getByRole("combobox", { name: "Language of the audio" }).getByRole("option");
    await expect.poll(() => names.allInnerTexts()).toContain("Telugu (not transcribed)");
    const marked = (await names.allInnerTexts()).filter((name) => name.includes("("));
    expect(marked).toContain("Hindi (many words wrong)");
    expect(marked.filter((name) => name.includes("not transcribed"))).toEqual(["Telugu (not transcribed)"]);
    // The home page, the overview and agents say the same.
    const sentence =
      /Reelscript transcribes English.*rough drafts of .*Hindi.*; refuses .*Telugu; refusals are free[^.]*\./u;
    const line = page.getByText(/^English, Spanish and \w+ more\. .+ rough drafts?\./u);
    await line.waitFor();
    expect(await page.getByText(sentence).isVisible()).toBe(false);
    await line.click();
    const said = sentence.exec(await page.getByRole("main").innerText())?.[0];
    expect(said).toBeDefined();
    for (const address of ["/", "/llms.txt", "/api/v1/overview"]) {
      const answer = await fetch(visits.service.url + address, {
        headers: { accept: address === "/" ? "text/html" : "*/*" },
      });
      expect(await answer.text(), address).toContain(said);
    }
    await expect.poll(() => names.count()).toBe(12);
  });

  test("says of private and unknown reels what they are, and counts nothing", async () => {
    const { page, person, expectRefusals } = await visits.openAs("curious@example.com", "/app/transcribe");
    expectRefusals(404);
    const privateReel = visits.service.standin.reels.find(({ kind }) => kind === "private")!;
    for (const url of [linkOf(privateReel.code), linkOf(short).replace(short, "CnoSuchReel")]) {
      await start(page, url);
      await jobs(page).first().getByText("Not transcribed").waitFor();
      const says = await jobs(page).first().getByRole("alert").innerText();
      expect(says).toMatch(/private|deleted|not found|no reel/i);
      expect(says).toContain("You weren’t charged.");
      await jobs(page).first().getByRole("button", { name: "Remove" }).click();
      await expect.poll(() => jobs(page).count()).toBe(0);
    }
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(0);
    await field(page).fill("nothing but https://example.com/ here");
    await page.getByText("No reel link found.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Transcribe", exact: true }).isDisabled()).toBe(true);
  });

  test("explains how the extension can send a reel the platform refuses", async () => {
    const { page, expectRefusals } = await visits.openAs("walled@example.com", "/app/transcribe");
    expectRefusals(502);
    const { code } = visits.service.standin.addReel({ bytes: Buffer.from("media"), wall: "tooManyRequests" });
    await start(page, linkOf(code));
    const alert = jobs(page).first().getByRole("alert");
    await alert.getByText("The platform isn’t letting us fetch this reel right now.", { exact: false }).waitFor();
    await expect.poll(() => alert.innerText()).toContain("You weren’t charged.");
    await alert.getByText("Send it from your own browser").click();
    await alert.getByText(new URL(visits.service.url).origin).waitFor();
    await alert.getByText("open the reel on Instagram and choose Transcribe", { exact: false }).waitFor();
  });

  test("starts in the empty library, and leaves wrong links in the field", async () => {
    const { page, go } = await visits.openAs("beginner@example.com", "/app/library");
    await page.getByRole("button", { name: "Try a sample reel" }).waitFor();
    await expectFocus(field(page));
    await expect.poll(() => page.getByRole("searchbox").count()).toBe(0);
    await field(page).fill(`${linkOf(short)} https://example.com/oops`);
    await page.getByRole("list", { name: "These won’t be sent:" }).getByText("not a reel").waitFor();
    await page.getByText("1 reel found.").waitFor();
    await go("/app/transcribe");
    await start(page, `${linkOf(short)} https://example.com/oops`);
    await jobs(page).first().waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("https://example.com/oops");
  });

  test("a used-up allowance leads straight to checkout, without a retry", async () => {
    const visitor = await visits.openAs("full@example.com");
    const { page } = visitor;
    visitor.expectRefusals(403);
    await useUp(visitor, 10);
    await page.goto(`${visits.service.url}/app/transcribe`);
    await start(page, linkOf("CenSquare01"));
    await jobs(page).getByText("You’ve used all 10 free transcriptions.", { exact: false }).waitFor();
    expect(await jobs(page).getByRole("button", { name: "Try again" }).count()).toBe(0);
    await jobs(page).getByRole("button", { name: "Upgrade to Hobby, $10 a month" }).click();
    await page.waitForURL((url) => !url.pathname.startsWith("/app/"));
  });

  const newLinks = (count: number): string[] =>
    Array.from({ length: count }, () =>
      linkOf(visits.service.standin.addReel({ bytes: Buffer.from("not looked at") }).code),
    );
  const batchNamed = (page: Page, sentence: string): Locator => page.getByRole("article", { name: sentence });

  test("of too long a list sends what fits and keeps the rest", async () => {
    const visitor = await visits.openAs("lister@example.com");
    const { page } = visitor;
    await useUp(visitor, 7);
    await page.goto(`${visits.service.url}/app/transcribe`);
    const links = newLinks(5);
    await field(page).fill(`${links.join(" ")} ${links[0]} https://example.com/oops`);
    await page.getByText("5 reels, 1 duplicate. 3 of them fit your plan.").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "See plans" }).count()).toBeGreaterThan(0);
    transcriber.tell({ text }, { text }, { text });
    await page.getByRole("button", { name: "Transcribe the first 3" }).click();
    await batchNamed(page, "Batch of 3: 3 done.").waitFor();
    await expect.poll(() => field(page).inputValue()).toBe(["https://example.com/oops", ...links.slice(3)].join("\n"));
    await expect.poll(async () => (await visitor.person.api("getUsage")).body.transcriptions.used).toBe(10);
  });

  test("a batch's finished reels appear without a reload, and can be exported", async () => {
    const visitor = await visits.openAs("batcher@example.com", "/app/transcribe");
    const { page } = visitor;
    const recognition = aMoment();
    // A recognizer that still waits would keep the service from ending.
    onTestFinished(() => recognition.release());
    const missing = linkOf(visits.service.standin.reels.find(({ kind }) => kind === "deleted")!.code);
    await field(page).fill([...newLinks(2), missing].join(" "));
    transcriber.tell({ text }, () => recognition.come.then(() => ({ text: "The second has other words." })));
    await page.getByRole("button", { name: "Transcribe 3 reels" }).click();
    await batchNamed(page, "Batch of 3: 1 done, 1 failed, 1 waiting").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByText("1 left").first().waitFor();
    await expect.poll(() => page.title()).toBe("66% · Transcribe · Reelscript");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /^Library/ })
      .first()
      .click();
    await page.getByText("1 script", { exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe("66% · Library · Reelscript");
    recognition.release();
    await page.getByRole("link", { name: /The second has other words/ }).waitFor();
    await expect.poll(() => page.title()).toBe("Library · Reelscript");

    await visitor.go("/app/transcribe");
    const card = batchNamed(page, "Batch of 3: 2 done, 1 failed.");
    await card.getByRole("link", { name: "The second has other words." }).waitFor();
    await card.getByText("Transcribed", { exact: true }).first().waitFor();
    await shoot(page, "batch");
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    expect(await sticksOut(page)).toEqual([]);
    await shoot(page, "batch-390");
    await card.getByText("This reel is private or was deleted.", { exact: false }).waitFor();
    // The whole row of a finished reel is its link.
    const row = card.getByRole("listitem").filter({ hasText: "The second has other words." });
    const { width, height } = (await row.boundingBox())!;
    await row.click({ position: { x: width - 6, y: height - 6 } });
    await page.getByRole("heading", { level: 1, name: /^The second has other words/ }).waitFor();
    await page.goBack();
    expect(await card.getByRole("button", { name: "Retry failed" }).count(), "it can't help").toBe(0);
    const download = page.waitForEvent("download");
    await card.getByRole("button", { name: "Export these" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    expect(file).toContain("The second has other words.");
    expect(file.trimEnd().split("\r\n")).toHaveLength(3);
  });

  test("shows which pasted lines won't be sent, before sending", async () => {
    const { page } = await visits.openAs("paster@example.com", "/app/transcribe");
    const list = page.getByRole("list", { name: "These won’t be sent:" });
    await field(page).fill("Reels for Monday");
    await page.getByText("No reel link found.").waitFor();
    expect(await list.count(), "the sentence says so already").toBe(0);
    const plain = Array.from({ length: 6 }, (_, index) => `Note ${index}`);
    await field(page).fill(["Reels for Monday", ...newLinks(2), "https://example.com/oops", ...plain].join("\n"));
    await list.getByText("Reels for Monday").waitFor();
    expect((await list.getByRole("listitem").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "Reels for Monday not a link",
      "https://example.com/oops not a reel",
      "Note 0 not a link",
      "Note 1 not a link",
      "Note 2 not a link",
    ]);
    await page.getByText("And 3 more.").waitFor();
    await page.setViewportSize({ width: 390, height: heightAt(390) });
    expect(await sticksOut(page)).toEqual([]);
    await shoot(page, "unsent-lines-390");
  });

  const refusedArabic = (): SpeechNotRecognized => new SpeechNotRecognized("ar", "scripted", true, true);

  test("offers a draft in a language that is refused unless it is named", async () => {
    const { page, person, expectRefusals } = await visits.openAs("drafter@example.com", "/app/transcribe");
    expectRefusals(422);
    transcriber.tell(refusedArabic(), { text: "القهوة أولا", language: "ar" });
    const before = transcriber.hints.length;
    await start(page, newLinks(1)[0]!);
    const alert = jobs(page).getByRole("alert");
    await alert.getByText("We can’t transcribe Arabic reliably with the current model. You weren’t charged.").waitFor();
    expect(await alert.innerText()).not.toMatch(/hint|\(ar\)/);
    await jobs(page).getByRole("button", { name: "Draft in Arabic" }).click();
    await jobs(page).getByText("القهوة").first().waitFor();
    expect(transcriber.hints.slice(before)).toEqual([null, "ar"]);
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(1);
  });

  test("offers drafts of a batch's refused reels", async () => {
    const { page, person } = await visits.openAs("drafters@example.com", "/app/transcribe");
    const before = transcriber.hints.length;
    transcriber.tell(refusedArabic(), refusedArabic());
    await field(page).fill(newLinks(2).join("\n"));
    await page.getByRole("button", { name: "Transcribe 2 reels" }).click();
    const refused = batchNamed(page, "Batch of 2: 2 failed.").or(batchNamed(page, "Batch of 2: 0 done, 2 failed."));
    await refused.getByText("We can’t transcribe Arabic reliably").first().waitFor();
    transcriber.tell({ text: "القهوة أولا", language: "ar" }, { text: "القهوة ثانيا", language: "ar" });
    await refused.getByRole("button", { name: "Draft 2 in Arabic" }).click();
    const drafts = batchNamed(page, "Batch of 2: 2 done.");
    await drafts.getByRole("link", { name: "القهوة ثانيا" }).waitFor();
    expect(transcriber.hints.slice(before)).toEqual([null, null, "ar", "ar"]);
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(2);
  });

  test("says that the service is away at the first poll without an answer, and continues", async () => {
    const { page, expectRefusals } = await visits.openAs("outlasting@example.com", "/app/transcribe");
    expectRefusals(503);
    const recognition = aMoment();
    onTestFinished(() => recognition.release());
    const later = () => recognition.come.then(() => ({ text }));
    transcriber.tell(later, later);
    await field(page).fill(newLinks(2).join("\n"));
    await page.getByRole("button", { name: "Transcribe 2 reels" }).click();
    const card = page.getByRole("article", { name: /^Batch of 2: / });
    await card
      .getByText(/^Transcribing, \d+%$/)
      .first()
      .waitFor();
    let polls = 0;
    await page.route("**/app/api/batches/*", async (route) => {
      polls += 1;
      const error = { code: "unavailable", message: "The service is restarting." };
      await route.fulfill({ status: 503, json: { error } });
    });
    const alert = card.getByRole("alert");
    await alert.getByText("Your reels continue when it’s back.").waitFor();
    expect(polls).toBe(1);
    await page.unroute("**/app/api/batches/*");
    recognition.release();
    await batchNamed(page, "Batch of 2: 2 done.").waitFor();
    await expect.poll(() => alert.count()).toBe(0);
  });
});
