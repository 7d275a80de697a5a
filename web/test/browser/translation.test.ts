import { expect, test } from "vitest";
import type { Translation } from "../../../server/src/ports.ts";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot, sticksOut } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const translation: Translation = {
  text: "Salt comes first. Then pepper.",
  segments: [
    { start: 0, end: 1.5, text: "Salt comes first." },
    { start: 4, end: 6, text: "Then pepper.", isUnsure: true },
  ],
  gaps: [],
  model: "whisper-base",
  revision: 1,
};

describeInBrowser("translations in a browser", () => {
  let waiting: (() => void) | undefined;
  const finish = async (): Promise<void> => {
    await expect.poll(() => waiting).toBeDefined();
    waiting!();
    waiting = undefined;
  };
  const transcriber = {
    ...createScriptedTranscriber(),
    translator: {
      languages: ["es"] as const,
      translate: () => new Promise<Translation>((resolve) => (waiting = () => resolve(translation))),
    },
  };
  const visits = visitsOfTests({ transcriber, slots: 1 });

  test("are chosen with a reel, arrive on the page of its script, and say that a machine wrote them", async () => {
    const { page } = await visits.openAs("translator@example.com");
    await page.goto(`${visits.service.url}/app/transcribe`);
    const field = page.getByRole("textbox", { name: "Reel links" });
    await field.fill(visits.service.newReel());
    await page.getByLabel("Translation").selectOption("en");
    transcriber.tell({ text: "Primero la sal. Luego la pimienta.", language: "es" });
    await page.getByRole("button", { name: /^Transcribe/ }).click();
    await page.getByRole("link", { name: "Open" }).click();
    await page.getByRole("button", { name: "Translating…" }).waitFor();
    await page.getByText("Primero la sal.").first().waitFor();
    await finish();
    const section = page.getByRole("region", { name: "In English" });
    await section.getByText("Machine translation").waitFor();
    await section.getByText("Then pepper.").waitFor();
    await section.getByText("(unsure)").waitFor();
    await section.getByText("whisper-base").waitFor();
    await shoot(page, "translation");
    expect(await sticksOut(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await section.getByRole("link", { name: "SRT" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.srt$|subtitles/);
    await field.waitFor({ state: "detached" });
  });

  test("are offered for a script that has none, and not beside several reels", async () => {
    const { page } = await visits.openAs("later@example.com");
    await page.goto(`${visits.service.url}/app/transcribe`);
    const field = page.getByRole("textbox", { name: "Reel links" });
    const one = visits.service.newReel();
    const other = visits.service.newReel();
    await field.fill(`${one}\n${other}`);
    await expect.poll(() => page.getByLabel("Translation").count()).toBe(0);
    await field.fill(one);
    transcriber.tell({ text: "Primero la sal.", language: "es" });
    await page.getByRole("button", { name: /^Transcribe/ }).click();
    await page.getByRole("link", { name: "Open" }).click();
    await page.getByRole("button", { name: "Translate to English" }).click();
    await page.getByRole("button", { name: "Translating…" }).waitFor();
    await finish();
    await page.getByRole("region", { name: "In English" }).getByText("Salt comes first.").waitFor();
  });
});
