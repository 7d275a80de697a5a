import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { VideoRenderer } from "../../../server/src/ports.ts";
import { RenderError } from "../../../server/src/ports/video-renderer.ts";
import { aVideo } from "../../../server/test/files/file-sender.ts";
import { speechOf } from "../../../server/test/files/video-clips.ts";
import { createScriptedTranscriber } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot, sticksOut } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

/** Makes videos as far as a test says. */
function createGatedRenderer() {
  let next: ((outcome: Error | Buffer) => void) | undefined;
  const renderer: VideoRenderer = {
    description: "gated",
    async render({ directory, output, onProgress, signal }) {
      onProgress(0.4);
      const outcome = await new Promise<Error | Buffer>((resolve, reject) => {
        next = resolve;
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        if (signal.aborted) reject(signal.reason as Error);
      }).finally(() => (next = undefined));
      if (outcome instanceof Error) throw outcome;
      await writeFile(path.join(directory, output), outcome);
      return { lacksLetters: outcome.length < 10 };
    },
  };
  return {
    renderer,
    /** Ends the render that is under way, or the next one once it has begun. */
    async end(outcome: Error | Buffer): Promise<void> {
      await expect.poll(() => next).toBeDefined();
      next?.(outcome);
    },
  };
}

describeInBrowser("subtitled videos in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const gate = createGatedRenderer();
  const visits = visitsOfTests({ transcriber, videoRenderer: gate.renderer, repeated: ["transcribe-files"], slots: 1 });

  async function openScript(page: Page, keepDays: "0" | "7", text: string, language: string): Promise<void> {
    await page.goto(`${visits.service.url}/app/transcribe`);
    await page.getByLabel("After transcribing files").selectOption(keepDays);
    transcriber.tell(speechOf(text, language));
    await page.locator('input[type="file"][accept="video/*,audio/*"]').setInputFiles({
      name: "Draft.mp4",
      mimeType: "video/mp4",
      buffer: await aVideo(0, text.slice(0, 1) || "x"),
    });
    await page.getByRole("article", { name: "Draft.mp4" }).getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Draft", level: 1 }).waitFor();
  }

  test("are previewed in each style on the real file, made, followed, downloaded and deleted", async () => {
    const { page } = await visits.openAs("editor@example.com");
    await openScript(page, "7", "Salt comes first and then the flour", "en");
    await page.getByRole("button", { name: "Make a video" }).click();
    const dialog = page.getByRole("dialog", { name: "Subtitled video" });
    const words = dialog.locator(".video-preview .words");
    await words.getByText("Salt").waitFor();
    const sizes: number[] = [];
    for (const style of ["Lower third", "One line", "Word by word"]) {
      await dialog.getByText(style, { exact: true }).click();
      await words.waitFor();
      sizes.push(await words.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sticksOut(page)).toEqual([]);
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(await dialog.evaluate((element) => element.matches(":modal")), "also after the page was resized").toBe(true);
    expect(sizes, "each style has its own size").toEqual(sizes.toSorted((one, other) => one - other));
    expect(await words.locator("span[style*='color']").innerText()).toMatch(/\w+/);
    const inside = await words.boundingBox();
    const outside = await dialog.locator(".video-preview").boundingBox();
    expect(inside!.x).toBeGreaterThan(outside!.x);
    expect(inside!.y + inside!.height).toBeLessThan(outside!.y + outside!.height);
    expect(await sticksOut(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Make the video" }).click();
    const row = page.getByRole("article", { name: "Video: Word by word" });
    await row.getByText("Making it: 38%").waitFor();
    await shoot(page, "video-running");
    await gate.end(Buffer.from("a finished video"));
    const downloading = page.waitForEvent("download");
    await row.getByRole("link", { name: "Download" }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^scr_.*-highlight\.mp4$/);
    await shoot(page, "video-done");
    await row.getByRole("button", { name: "Delete video" }).click();
    await page.getByText("The video is deleted.").waitFor();
    await expect.poll(() => row.count()).toBe(0);
  });

  test("say why they failed and that letters are missing, and can be canceled", async () => {
    const { page } = await visits.openAs("unlucky@example.com");
    await openScript(page, "7", "Nothing works today", "en");
    const begin = async (button: string) => {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Make the video" }).click();
    };
    const row = page.getByRole("article", { name: "Video: Lower third" });
    await begin("Make a video");
    await row.getByText("Making it").waitFor();
    await gate.end(new RenderError("noPicture", "only sound"));
    await row.getByText("The file has no picture that we can decode").waitFor();
    await shoot(page, "video-failed");
    await row.getByRole("button", { name: "Dismiss" }).click();
    await begin("Make a video");
    await row.getByText("Making it").waitFor();
    await row.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The video isn’t made.").waitFor();
    await row.waitFor({ state: "detached" });
    await begin("Make a video");
    await row.getByText("Making it").waitFor();
    await gate.end(Buffer.from("boxes"));
    await row.getByText("no font for some letters").waitFor();
    expect(await sticksOut(page)).toEqual([]);
  });

  test("need a file that is kept", async () => {
    const { page } = await visits.openAs("forgetful@example.com");
    await openScript(page, "0", "Gone already", "en");
    await page.getByText("A video needs your file, which isn’t kept.").waitFor();
    expect(await page.getByRole("button", { name: "Make a video" }).count()).toBe(0);
  });
});

describeInBrowser("subtitled videos where none can be made", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber, repeated: ["transcribe-files"], slots: 1 });

  test("say what to install", async () => {
    const { page } = await visits.openAs("plain@example.com");
    await page.goto(`${visits.service.url}/app/transcribe`);
    await page.getByLabel("After transcribing files").selectOption("7");
    transcriber.tell(speechOf("Salt comes first", "en"));
    await page.locator('input[type="file"][accept="video/*,audio/*"]').setInputFiles({
      name: "Draft.mp4",
      mimeType: "video/mp4",
      buffer: await aVideo(),
    });
    await page.getByRole("article", { name: "Draft.mp4" }).getByRole("link", { name: "Open" }).click();
    await page.getByText("This server can’t make videos yet.").waitFor();
    await page.getByText("apt-get install ffmpeg fonts-noto-core").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sticksOut(page)).toEqual([]);
    await shoot(page, "video-not-set-up");
  });
});
