import { allDoors } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { createScriptedTranscriber, type ScriptedSpeech } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { openScript } from "./fill-account.ts";
import { lookAt, shoot } from "./page-checks.ts";
import { aMoment, visitsOfTests } from "./start-visits.ts";

const segments = [
  { start: 0, end: 3.5, text: "Salt comes first of all." },
  { start: 16.5, end: 21, text: "Then we bake the bread, slowly." },
];
const transcript = segments.map(({ text }) => text).join(" ");
const gaps = [{ start: 4, end: 16.2, reason: "skipped" as const }];
const words = transcript.split(/(?= )/).map((text, index) => {
  const start = index < 5 ? index * 0.5 : 16.5 + (index - 5) * 0.5;
  return { start, end: start + 0.4, text };
});

describeInBrowser("scripts that miss something, in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber });

  /** Somebody who looks at a script that an older recognizer made. */
  const aReader = (speech: ScriptedSpeech) => openScript(visits, transcriber, speech, { isOutdated: true });

  test("show in place what is missing", async () => {
    const { page } = await openScript(visits, transcriber, { text: transcript, segments, gaps, words });
    const article = page.getByRole("article", { name: "Transcript" });
    await article.getByText("12 s we couldn’t make out").waitFor();
    await expect
      .poll(() => article.getByRole("listitem").allInnerTexts())
      .toEqual([
        expect.stringMatching(/^0:00\s+Salt comes first of all\.$/),
        expect.stringMatching(/^0:04\s+12 s we couldn’t make out$/),
        expect.stringMatching(/^0:16\s+Then we bake the bread, slowly\.$/),
      ]);
    await lookAt(page, "gaps");
  });

  test("can be transcribed again, once, and show the new text", async () => {
    const { page } = await aReader({ text: "Salt comes first of all.", gaps });
    const again = page.getByRole("button", { name: "Transcribe again" });
    await again.waitFor();
    const recognition = aMoment();
    transcriber.tell(() => recognition.come.then(() => ({ text: transcript, segments, words })));
    await again.click();
    await page.getByText("Transcribing…").waitFor();
    recognition.release();
    await page.getByText("Transcribed again. This is the new transcript.").waitFor();
    await page.getByText("Then we bake the bread, slowly.").first().waitFor();
    await expect.poll(() => page.getByText("we couldn’t make out").count()).toBe(0);
    await page.reload();
    await page.getByText("Then we bake the bread, slowly.").first().waitFor();
    await expect.poll(() => again.count()).toBe(0);
  });

  test("keep the old text if the new isn't better, without speech too", async () => {
    const { page } = await aReader({ text: "" });
    await page.getByRole("heading", { name: "Only music, noise or silence" }).waitFor();
    transcriber.tell({ text: "" });
    await page.getByRole("button", { name: "Transcribe again" }).click();
    await page.getByText("No words were found this time, so we kept the old one.").waitFor();
    await expect.poll(() => page.getByRole("heading", { name: "Only music, noise or silence" }).isVisible()).toBe(true);
  });

  test("say when the platform refuses the reel, and offer a retry", async () => {
    const { page, expectRefusals } = await aReader({ text: transcript, segments, gaps });
    expectRefusals(404, 502);
    visits.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    await page.getByRole("button", { name: "Transcribe again" }).click();
    await page.getByText("Your transcript is unchanged.").waitFor();
    visits.service.standin.setWall(undefined);
    transcriber.tell({ text: transcript, segments });
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Transcribed again. This is the new transcript.").waitFor();
    await expect.poll(() => page.getByText("Your transcript is unchanged.").count()).toBe(0);
  });

  test("lead from a search to the second of the word", async () => {
    const { page, go, id } = await openScript(visits, transcriber, { text: transcript, segments, gaps, words });
    await go("/app/library?query=slowly");
    await page.getByRole("region", { name: "Scripts" }).getByRole("listitem").getByRole("link").click();
    const mark = page.getByRole("article", { name: "Transcript" }).locator("mark");
    await mark.waitFor();
    await expect.poll(() => mark.innerText()).toBe("slowly");
    await expect.poll(() => mark.getAttribute("title")).toBe("Said at 0:19");
    await page.locator(".cue.big .time").getByText("0:19 / 0:30").waitFor();
    await mark.click();
    await expect.poll(() => new URL(page.url()).searchParams.get("t")).toBe("19");
    await page.goto(`${visits.service.url}/app/scripts/${id}?query=salt`);
    await page.getByRole("button", { name: "Next match" }).click();
    await page.locator(".cue.big .time").getByText("0:00 / 0:30").waitFor();
    await shoot(page, "moment");
  });
});
