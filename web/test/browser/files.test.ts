import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createGatedTranscriber } from "../../../server/test/harness/gated-transcriber.ts";
import { aVideo } from "../../../server/test/files/file-sender.ts";
import { aCollection } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot, sticksOut } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("files of a person's own in a browser", () => {
  const gate = createGatedTranscriber();
  const visits = visitsOfTests({ transcriber: gate, repeated: ["transcribe-files", "advance-batches"], slots: 1 });
  const card = (page: Page, name: string) => page.getByRole("article", { name });
  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.locator('input[type="file"][accept="video/*,audio/*"]').setInputFiles({ name, mimeType: "video/mp4", buffer });

  test("are chosen, sent and transcribed, and play in the library while they are kept", async () => {
    const { page, person } = await visits.openAs("maker@example.com");
    await page.goto(`${visits.service.url}/app/transcribe`);
    await page.getByLabel("After transcribing files").selectOption("7");
    gate.close();
    await choose(page, "My first draft.mp4", await aVideo(3_000_000, "w"));
    await card(page, "My first draft.mp4").getByText("You can close this page").waitFor();
    await shoot(page, "files");
    expect(await sticksOut(page)).toEqual([]);
    gate.open();
    await card(page, "My first draft.mp4").getByText("Transcribed").waitFor();
    await card(page, "My first draft.mp4").getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { name: "My first draft", level: 1 }).waitFor();
    await page.getByText("A file of yours").waitFor();
    const media = page.waitForResponse((response) => response.url().endsWith("/media"));
    await page.getByRole("button", { name: "Play" }).click();
    expect((await media).status()).toBe(206);
    await page.getByRole("textbox", { name: "Title" }).fill("The final cut");
    await page.getByRole("button", { name: "Save title" }).click();
    await page.getByRole("heading", { name: "The final cut", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Delete file" }).click();
    await page.getByText("The file is deleted. The script stays.").waitFor();
    await page.goto(`${visits.service.url}/app/library`);
    await page.getByLabel("Platform").selectOption("file");
    await page.getByText("The final cut").waitFor();
    for (const handle of ["first.loaf", "second.loaf"])
      expect((await person.api("importReport", aCollection(handle))).status).toBe(200);
    await page.goto(`${visits.service.url}/app/reports/compare`);
    const drafts = page.getByRole("region", { name: "Your drafts" });
    await drafts.getByRole("link", { name: "The final cut" }).waitFor();
    await drafts.getByText("The same sentence for every reel.").waitFor();
    await shoot(page, "drafts");
    expect(await sticksOut(page)).toEqual([]);
  });

  test("are one batch when several are dropped, and a video is asked for with the file, which is then kept", async () => {
    const { page, person } = await visits.openAs("batcher@example.com");
    await page.goto(`${visits.service.url}/app/transcribe`);
    await page.getByLabel("Subtitled video").selectOption("highlight");
    expect(await page.getByLabel("After transcribing files").inputValue()).toBe("7");
    await shoot(page, "file-options");
    expect(await sticksOut(page)).toEqual([]);
    gate.close();
    const names = ["one.mp4", "two.mp4", "three.mp4", "four.mp4", "five.mp4"];
    const buffers = await Promise.all(names.map((_, index) => aVideo(300_000, `y${index}`)));
    await page
      .locator('input[type="file"][accept="video/*,audio/*"]')
      .setInputFiles(names.map((name, index) => ({ name, mimeType: "video/mp4", buffer: buffers[index]! })));
    await page.getByRole("heading", { name: /^Batch of 5: 0 done/ }).waitFor();
    for (const name of names) await expect.poll(() => card(page, name).count()).toBe(0);
    const batch = page.getByRole("article", { name: "Batch of 5" });
    await batch.getByText("five", { exact: true }).waitFor();
    await shoot(page, "file-batch");
    expect(await sticksOut(page)).toEqual([]);
    gate.open();
    await expect
      .poll(
        async () => {
          visits.service.clock.advance(2_000);
          return page.getByRole("heading", { name: "Batch of 5: 5 done." }).count();
        },
        { interval: 500, timeout: 30_000 },
      )
      .toBe(1);
    await batch.getByText("three", { exact: true }).waitFor();
    const { batches } = (await person.api("listBatches")).body;
    const { links } = (await person.api("getBatch", { id: batches[0].id })).body;
    expect(links.map(({ title }: { title: string }) => title)).toEqual(["one", "two", "three", "four", "five"]);
    expect((await person.api("getFile", { id: links[0].fileId })).body).toMatchObject({ keepDays: 7, status: "done" });
  });

  test("can be paused, resumed, dropped and refused in one sentence", async () => {
    const { page, expectRefusals } = await visits.openAs("dropper@example.com");
    expectRefusals(422, 503);
    await page.goto(`${visits.service.url}/app/transcribe`);
    let mayPass = false;
    let held = 0;
    await page.route("**/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH" || mayPass) return route.continue();
      held += 1;
      return route.fulfill({ status: 503 });
    });
    await choose(page, "take two.mp4", await aVideo(1_000_000, "x"));
    await card(page, "take two.mp4").getByText("It continues by itself").waitFor();
    await expect.poll(() => held).toBeGreaterThan(0);
    await card(page, "take two.mp4").getByRole("button", { name: "Pause" }).click();
    await card(page, "take two.mp4").getByText("Paused at").waitFor();
    mayPass = true;
    await card(page, "take two.mp4").getByRole("button", { name: "Resume" }).click();
    await card(page, "take two.mp4").getByText("Transcribed").waitFor();
    const notes = await page.evaluateHandle(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["just some notes ".repeat(40)], "notes.mp4"));
      return dropped;
    });
    await page.dispatchEvent("body", "dragover", { dataTransfer: notes });
    await page.getByText("Drop your files here").waitFor();
    await page.dispatchEvent("body", "drop", { dataTransfer: notes });
    await card(page, "notes.mp4").getByText("This file is neither a video nor a recording.").waitFor();
    await card(page, "notes.mp4").getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => card(page, "notes.mp4").count()).toBe(0);
  });
});
