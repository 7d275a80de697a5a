import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { SpeechNotRecognized } from "../../../server/src/recognition/recognition-errors.ts";
import { createSpeakingTranscriber } from "../../../server/test/harness/speaking-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFit, shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const first = "Salt comes first, and a good deal of it. Then the water, a little at a time, as the flour asks for it.";
const second = "Fold it four times, an hour apart, and leave it alone in between.";
const last = "In the morning it is twice as high.";

describeInBrowser("words while they are recognized, in a browser", () => {
  const transcriber = createSpeakingTranscriber();
  const visits = visitsOfTests({ transcriber });

  /** A page of somebody new on which a reel is in the transcriber's hand. */
  async function begin(email: string, view: { width?: number; dark?: boolean } = {}) {
    const visitor = await visits.openAs(email, "/app/transcribe", view);
    const { page } = visitor;
    const link = visits.service.newReel();
    await page.getByRole("textbox", { name: "Reel links" }).fill(link);
    await page.getByRole("button", { name: /^Transcribe/ }).click();
    await transcriber.inHand();
    await jobs(page).getByRole("progressbar", { name: "Transcribing" }).waitFor();
    return { ...visitor, job: jobs(page).first() };
  }
  const jobs = (page: Page): Locator => page.getByRole("region", { name: "Your reels" }).getByRole("article");
  const words = (job: Locator): Locator => job.locator("p.live");
  const untilSaid = async (job: Locator, text: string): Promise<void> => {
    await expect.poll(() => words(job).innerText()).toBe(text);
  };

  test("come stretch by stretch, and become the transcript where they are", async () => {
    const { page, job } = await begin("listener@example.com");
    await expect.poll(() => words(job).count()).toBe(0);
    transcriber.say(first);
    await untilSaid(job, first);
    await expect
      .poll(() => job.getByRole("progressbar", { name: "Transcribing" }).count(), { message: "it still runs" })
      .toBe(1);
    await expect.poll(() => job.getByText("1 transcription").count()).toBe(0);
    const paragraph = await words(job).elementHandle();
    const box = await paragraph!.boundingBox();
    transcriber.say(second);
    await untilSaid(job, `${first} ${second}`);
    await expect
      .poll(
        () => words(job).evaluate((element) => element.closest("[aria-live], [role=status], [role=alert], [role=log]")),
        { message: "nobody is read each word" },
      )
      .toBeNull();
    await expect.poll(() => job.getByRole("status").innerText()).toBe("Transcribing");

    await page.reload();
    await untilSaid(jobs(page).first(), `${first} ${second}`);
    const keptData = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    expect(keptData, "the browser keeps no words").not.toContain("Salt");

    const again = await words(job).elementHandle();
    transcriber.say(last);
    transcriber.finish();
    await job.getByText("1 transcription").waitFor();
    await untilSaid(job, `${first} ${second} ${last}`);
    await expect
      .poll(() => again!.evaluate((element) => element.isConnected), { message: "it is the same paragraph" })
      .toBe(true);
    await expect.poll(() => again!.boundingBox()).toMatchObject({ x: box!.x, y: box!.y });
    await expect.poll(() => job.getByRole("status").innerText()).toMatch(/^Transcribed, \d+ words$/);
    await shoot(page, "live-words-done-1440");
  });

  test("of one window are pale drafts, and vanish if it is refused", async () => {
    const { page, job } = await begin("drafts@example.com");
    const draft = words(job).locator(".draft");
    for (const written of [first.slice(0, 40), first.slice(0, 80)]) {
      transcriber.write(written);
      await untilSaid(job, written.trim());
    }
    const color = (element: Locator) => element.evaluate((node) => getComputedStyle(node).color);
    await expect.poll(() => color(draft)).not.toBe(await color(words(job)));
    await expectFit(page, "live-words-draft-1440");
    transcriber.say(first);
    await untilSaid(job, first);
    await expect.poll(() => draft.count()).toBe(0);
    transcriber.write(second);
    await untilSaid(job, `${first} ${second}`);
    transcriber.write();
    await untilSaid(job, first);
    transcriber.write(second);
    await untilSaid(job, `${first} ${second}`);
    transcriber.fail(new SpeechNotRecognized("en", "speaking"));
    await job.getByRole("alert").waitFor();
    await expect.poll(() => job.innerText()).not.toContain("Salt");
  });

  test("vanish with the reason when the reel is refused in the end", async () => {
    const { page, person, job } = await begin("unlucky@example.com", { width: 390, dark: true });
    transcriber.say(first);
    await untilSaid(job, first);
    await expectFit(page, "live-words-390-dark");
    transcriber.fail(new SpeechNotRecognized("en", "speaking"));
    const reason = job.getByRole("alert");
    await reason.waitFor();
    await expect.poll(() => reason.innerText()).toMatch(/couldn’t make out|couldn't make out/);
    await expect.poll(() => reason.innerText()).toMatch(/weren.t charged/);
    await expect.poll(() => job.innerText()).not.toContain("Salt");
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(0);
    await shoot(page, "live-words-refused-390-dark");
  });

  test("of a first try vanish when another one begins", async () => {
    const { job } = await begin("twice@example.com");
    transcriber.say(first);
    await untilSaid(job, first);
    transcriber.fail(new Error("the recognizer broke"));
    await expect.poll(() => words(job).count()).toBe(0);
    await transcriber.inHand();
    transcriber.say(second);
    await untilSaid(job, second);
    transcriber.finish();
    await job.getByText("1 transcription").waitFor();
    await untilSaid(job, second);
    expect(visits.service.faults.splice(0)).toMatchObject([{ error: { message: "the recognizer broke" } }]);
  });

  test("of a long reel scroll and return to the first, motionless too", async () => {
    const { page, job } = await begin("patient@example.com", { width: 390 });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const sentences = Array.from({ length: 30 }, (_, index) => `Sentence ${index + 1} is said here.`);
    transcriber.say(sentences.slice(0, 15).join(" "));
    await expect.poll(() => words(job).innerText()).toContain("Sentence 15 ");
    const box = await words(job).boundingBox();
    await page.emulateMedia({ reducedMotion: "reduce" });
    transcriber.say(sentences.slice(15).join(" "));
    await expect.poll(() => words(job).innerText()).toContain("Sentence 30 ");
    await expect.poll(() => words(job).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(200);
    const below = () =>
      words(job).evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop);
    await expect.poll(below, { message: "the last line is in sight" }).toBeLessThan(8);
    await shoot(page, "live-words-rolling-390");
    transcriber.finish();
    await job.getByText("1 transcription").waitFor();
    await expect.poll(() => words(job).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await expect.poll(() => words(job).boundingBox(), { message: "nothing moves" }).toEqual(box);
    await shoot(page, "live-words-done-390");
    await expect.poll(() => words(job).innerText()).toMatch(/^Sentence 1 is/);
  });
});
