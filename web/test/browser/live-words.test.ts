import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SpeechNotRecognized } from "../../../server/src/recognition/speech-not-recognized.ts";
import { createSpeakingTranscriber } from "../../../server/test/harness/speaking-transcriber.ts";
import { chromiumProgram, unlessSkipped } from "./chromium-program.ts";
import { hindrancesOf } from "./page-checks.ts";
import { shoot } from "./shoot.ts";
import { patience, startVisits, type Visits } from "./start-visits.ts";

const first = "Salt comes first, and a good deal of it. Then the water, a little at a time, as the flour asks for it.";
const second = "Fold it four times, an hour apart, and leave it alone in between.";
const last = "In the morning it is twice as high.";

describe.skipIf(chromiumProgram === undefined)(
  `words while they are recognized, in a browser${unlessSkipped}`,
  { timeout: 240_000 },
  () => {
    const transcriber = createSpeakingTranscriber();
    let visits: Visits;
    beforeAll(async () => {
      visits = await startVisits({ transcriber });
    }, 240_000);
    afterEach(() => visits.leave());
    afterAll(() => visits?.close());

    /** A page of somebody new on which a reel is in the transcriber's hand. */
    async function begin(email: string, view: { width?: number; dark?: boolean } = {}) {
      const visitor = await visits.openAs(email, "/app/transcribe", view);
      const { page } = visitor;
      const { standin } = visits.service;
      const link = standin.urlOf(standin.addReel({ bytes: Buffer.from("not looked at") }).code);
      await page.getByRole("textbox", { name: "Reel links" }).fill(link);
      await page.getByRole("button", { name: /^Transcribe/ }).click();
      await transcriber.inHand();
      await jobs(page).getByRole("progressbar", { name: "Transcribing" }).waitFor();
      return { ...visitor, job: jobs(page).first() };
    }
    const jobs = (page: Page): Locator => page.getByRole("region", { name: "Your reels" }).getByRole("article");
    const words = (job: Locator): Locator => job.locator("p.live");
    const untilSaid = async (job: Locator, text: string): Promise<void> => {
      await expect.poll(() => words(job).innerText(), { timeout: patience }).toBe(text);
    };

    test("come stretch by stretch, and become the transcript where they are", async () => {
      const { page, job } = await begin("listener@example.com");
      expect(await words(job).count()).toBe(0);
      transcriber.say(first);
      await untilSaid(job, first);
      expect(await job.getByRole("progressbar", { name: "Transcribing" }).count(), "it still runs").toBe(1);
      expect(await job.getByText("1 transcription").count()).toBe(0);
      const paragraph = await words(job).elementHandle();
      const place = await paragraph!.boundingBox();
      transcriber.say(second);
      await untilSaid(job, `${first} ${second}`);
      expect(await hindrancesOf(page)).toEqual([]);
      await shoot(page, "live-words-1440");
      expect(
        await words(job).evaluate((element) => element.closest("[aria-live], [role=status], [role=alert], [role=log]")),
        "nobody is read each word",
      ).toBeNull();
      expect(await job.getByRole("status").innerText()).toBe("Transcribing");

      await page.reload();
      await untilSaid(jobs(page).first(), `${first} ${second}`);
      const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
      expect(kept, "the browser keeps no words").not.toContain("Salt");

      const again = await words(job).elementHandle();
      transcriber.say(last);
      transcriber.finish();
      await job.getByText("1 transcription").waitFor();
      await untilSaid(job, `${first} ${second} ${last}`);
      expect(await again!.evaluate((element) => element.isConnected), "it is the same paragraph").toBe(true);
      const after = await again!.boundingBox();
      expect({ x: after?.x, y: after?.y }).toEqual({ x: place?.x, y: place?.y });
      expect(await job.getByRole("status").innerText()).toMatch(/^Transcribed, \d+ words$/);
      await shoot(page, "live-words-done-1440");
    });

    test("vanish with the reason when the reel is refused in the end", async () => {
      const { page, person, job } = await begin("unlucky@example.com", { width: 390, dark: true });
      transcriber.say(first);
      await untilSaid(job, first);
      expect(await hindrancesOf(page)).toEqual([]);
      await shoot(page, "live-words-390-dark");
      transcriber.fail(new SpeechNotRecognized("en", "speaking"));
      const reason = job.getByRole("alert");
      await reason.waitFor();
      expect(await reason.innerText()).toMatch(/couldn’t make out|couldn't make out/);
      expect(await reason.innerText()).toMatch(/weren.t charged/);
      expect(await job.innerText()).not.toContain("Salt");
      expect((await person.api("getUsage")).body.transcriptions.used).toBe(0);
      await shoot(page, "live-words-refused-390-dark");
    });

    test("of a first try vanish when another one begins", async () => {
      const { job } = await begin("twice@example.com");
      transcriber.say(first);
      await untilSaid(job, first);
      transcriber.fail(new Error("the recognizer broke"));
      await expect.poll(() => words(job).count(), { timeout: patience }).toBe(0);
      await transcriber.inHand();
      transcriber.say(second);
      await untilSaid(job, second);
      transcriber.finish();
      await job.getByText("1 transcription").waitFor();
      await untilSaid(job, second);
      expect(visits.service.faults.splice(0)).toMatchObject([{ error: { message: "the recognizer broke" } }]);
    });

    test("of a long reel roll, newest last, and are back at the first at the end, also without motion", async () => {
      const { page, job } = await begin("patient@example.com", { width: 390 });
      const sentences = Array.from({ length: 30 }, (_, index) => `Sentence ${index + 1} is said here.`);
      transcriber.say(sentences.slice(0, 15).join(" "));
      await expect.poll(() => words(job).innerText(), { timeout: patience }).toContain("Sentence 15 ");
      const place = await words(job).boundingBox();
      await page.emulateMedia({ reducedMotion: "reduce" });
      transcriber.say(sentences.slice(15).join(" "));
      await expect.poll(() => words(job).innerText(), { timeout: patience }).toContain("Sentence 30 ");
      const box = await words(job).evaluate(({ scrollTop, clientHeight, scrollHeight }) => ({
        scrollTop,
        left: scrollHeight - clientHeight - scrollTop,
      }));
      expect(box.scrollTop).toBeGreaterThan(200);
      expect(box.left, "the last line is in sight").toBeLessThan(8);
      await shoot(page, "live-words-rolling-390");
      transcriber.finish();
      await job.getByText("1 transcription").waitFor();
      await expect.poll(() => words(job).evaluate(({ scrollTop }) => scrollTop), { timeout: patience }).toBe(0);
      expect(await words(job).boundingBox(), "nothing moves").toEqual(place);
      await shoot(page, "live-words-done-390");
      expect(await words(job).innerText()).toMatch(/^Sentence 1 is/);
    });
  },
);
