import { expect, test } from "vitest";
import { createScriptedTranscriber, type ScriptedSpeech } from "../../../server/test/harness/scripted-transcriber.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { openScript } from "./fill-account.ts";
import { expectFit, expectFocus, lookAt } from "./page-checks.ts";
import { aMoment, visitsOfTests } from "./start-visits.ts";

const segments = [
  { start: 0, end: 3.5, text: "Salt comes first of all." },
  { start: 4, end: 9, text: "Then the east rises, and the dough grows to twice its size." },
  { start: 16.5, end: 21, text: "Then we bake the bread, slowly." },
];
const text = segments.map((segment) => segment.text).join(" ");
const words = text.split(/(?= )/).map((word, index) => ({ start: index, end: index + 0.9, text: word }));
const gaps = [{ start: 22, end: 26, reason: "skipped" as const }];

describeInBrowser("correcting a script, in a browser", () => {
  const transcriber = createScriptedTranscriber();
  const visits = visitsOfTests({ transcriber });

  async function aReader(speech: ScriptedSpeech = { text, segments, words, gaps }) {
    const visitor = await openScript(visits, transcriber, speech);
    const { page } = visitor;
    const begin = async (): Promise<void> => {
      await page.getByRole("button", { name: "Correct", exact: true }).click();
      await page.locator("textarea:focus").waitFor();
    };
    const line = (at: string) => page.getByRole("textbox", { name: `Text at ${at}` });
    return { ...visitor, begin, line };
  }

  test("looks right and hinders nobody", async () => {
    const { page, begin, line } = await aReader();
    await begin();
    await line("0:04").fill("Then the yeast rises, and the dough grows to twice its size.");
    await lookAt(page, "correcting");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("You corrected this transcript").waitFor();
    await expectFit(page, "corrected");
    await page.getByRole("button", { name: "Compare with original" }).click();
    const lines = page.getByRole("list", { name: "Corrected and original lines" });
    await expect.poll(() => lines.locator("ins, del").allInnerTexts()).toEqual(["y"]);
    const overflow = await lines.evaluate((list) => getComputedStyle(list).overflowX);
    expect(overflow, "nothing to scroll sideways").toBe("visible");
    await lookAt(page, "compared");
  });

  test("works by keyboard, is found in the library, and can be undone", async () => {
    const { page, go, begin, line, transcript } = await aReader();
    await begin();
    await expectFocus(line("0:00"));
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Then the yeast rises.");
    await page.keyboard.press("Enter");
    await expectFocus(line("0:16"));
    await page.keyboard.press("Shift+Enter");
    await expectFocus(line("0:04"));
    await page.getByText("1 line changed").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("You corrected this transcript").waitFor();
    const edit = page.getByRole("button", { name: "Correct", exact: true });
    await expectFocus(edit);
    expect(await transcript()).toBe(text.replace(segments[1]!.text, "Then the yeast rises."));
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect.poll(transcript).toBe(text);
    await expect.poll(() => page.getByText("You corrected this transcript").count()).toBe(0);

    await begin();
    await line("0:16").fill("");
    await page.keyboard.press("Control+Enter");
    await page.getByText("You corrected this transcript").waitFor();
    await expect.poll(() => page.getByRole("article", { name: "Transcript" }).getByText("slowly").count()).toBe(0);
    await page.getByRole("button", { name: "Restore original" }).click();
    await expect.poll(transcript).toBe(text);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect.poll(transcript).not.toContain("slowly");

    await go("/app/library?query=slowly");
    await page.getByText("Try fewer words").waitFor();
    await go("/app/library?query=dough");
    await page.getByRole("region", { name: "Scripts" }).getByRole("link").first().waitFor();
  });

  test("loses nothing that was written without a word", async () => {
    const { page, begin, line, transcript } = await aReader();
    await begin();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy", exact: true }).waitFor();
    await begin();
    await line("0:00").fill("Never first.");
    await page.keyboard.press("Escape");
    const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await expect.poll(() => line("0:00").inputValue()).toBe("Never first.");
    await page.getByRole("link", { name: "Library" }).first().click();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await expect.poll(() => line("0:00").inputValue()).toBe("Never first.");
    await page.getByRole("link", { name: "Library" }).first().click();
    await dialog.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("heading", { name: "Library" }).waitFor();
    expect(await transcript()).toBe(text);
  });

  test("merges two windows' changes, and says if the reel's lines changed", async () => {
    const { page, person, id, begin, line, transcript, ...visitor } = await aReader();
    visitor.expectRefusals(412);
    await begin();
    await line("0:00").fill("Salt comes last.");
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    const others = [segments[0]!.text, "Then the yeast rises.", segments[2]!.text];
    expect((await person.api("correctScript", { id, ifVersion: version, texts: others })).status).toBe(200);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Someone saved other changes in the meantime").waitFor();
    await expect.poll(() => line("0:04").inputValue()).toBe("Then the yeast rises.");
    expect(await line("0:00").inputValue()).toBe("Salt comes last.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("You corrected this transcript").waitFor();
    expect(await transcript()).toBe("Salt comes last. Then the yeast rises. Then we bake the bread, slowly.");

    transcriber.revision += 1;
    transcriber.tell({
      text: `${text} And more.`,
      segments: [...segments, { start: 22, end: 26, text: "And more." }],
    });
    expect((await person.api("retranscribeScript", { id })).body).toMatchObject({ replaced: true });
    await page.reload();
    await page.getByText("The reel was transcribed again since").waitFor();
    await page.getByRole("button", { name: "Restore original" }).click();
    await page.getByRole("button", { name: "Delete corrections" }).click();
    await page.getByText("And more.").first().waitFor();
  });

  test("saves once, refuses words it would lose, and explains failed undo", async () => {
    const { page, person, id, begin, line, transcript, ...visitor } = await aReader();
    visitor.expectRefusals(412, 503);
    const held = aMoment();
    let saves = 0;
    await page.route(`**/app/api/scripts/${id}/correction`, async (route) => {
      if (route.request().method() === "POST") {
        saves += 1;
        await held.come;
      }
      await route.continue();
    });
    await begin();
    await line("0:00").fill("Salt comes last.");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("Lost words.");
    await expect.poll(() => line("0:00").inputValue()).toBe("Salt comes last.");
    await expect.poll(() => line("0:04").isEditable()).toBe(false);
    held.release();
    await page.getByText("You corrected this transcript").waitFor();
    expect(saves).toBe(1);
    const undo = page.getByRole("status").getByRole("button", { name: "Undo" });
    // It stays as long as somebody is in it.
    await undo.focus();
    const mine = ["Salt comes last.", segments[1]!.text, segments[2]!.text];
    expect(await transcript()).toBe(mine.join(" "));

    await page.unroute(`**/app/api/scripts/${id}/correction`);
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    await person.api("correctScript", { id, ifVersion: version, texts: mine.with(1, "Then the yeast rises.") });
    await undo.click();
    await page.getByText("We couldn’t undo that. The transcript changed in the meantime.").waitFor();

    await begin();
    await line("0:00").fill("Salt comes first.");
    await page.keyboard.press("Control+Enter");
    await undo.focus();
    const error = { code: "unavailable", message: "The service is restarting." };
    await page.route(`**/app/api/scripts/${id}/correction`, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 503, json: { error } }) : route.continue(),
    );
    await undo.click();
    await page.getByText("We couldn’t undo that. The service is restarting.").waitFor();
  });

  test("takes no words while it reads what somebody else saved", async () => {
    const { page, person, id, begin, line, ...visitor } = await aReader();
    visitor.expectRefusals(412);
    await begin();
    await line("0:00").fill("Salt comes last.");
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    const others = [segments[0]!.text, "Then the yeast rises.", segments[2]!.text];
    expect((await person.api("correctScript", { id, ifVersion: version, texts: others })).status).toBe(200);
    const held = aMoment();
    const reads = aMoment();
    await page.route(`**/app/api/scripts/${id}/correction`, async (route) => {
      if (route.request().method() === "GET") {
        reads.release();
        await held.come;
      }
      await route.continue();
    });
    await page.keyboard.press("Control+Enter");
    await reads.come;
    await page.keyboard.type("Lost words.");
    await expect.poll(() => line("0:00").inputValue()).toBe("Salt comes last.");
    held.release();
    await page.getByText("Someone saved other changes in the meantime").waitFor();
    await page.keyboard.type(" And pepper.");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("You corrected this transcript").waitFor();
    expect((await person.api("getScript", { id })).body.transcript).toContain(
      "Salt comes last. And pepper. Then the yeast rises.",
    );
  });

  test("labels lines in the page's language, and text in its own", async () => {
    const close = [segments[0]!, segments[1]!, { start: 4.5, end: 9, text: "مرحبا بكم" }];
    const { page, begin, line } = await aReader({ text: close.map((one) => one.text).join(" "), segments: close });
    await begin();
    await line("0:04, 1 of 2").fill("");
    await line("0:04, 2 of 2").fill("مرحبا");
    const languageOf = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((element) => element.closest("[lang]")?.tagName);
    await expect.poll(() => languageOf("Original:")).toBe("HTML");
    await expect.poll(() => languageOf("Text at 0:04, 2 of 2")).toBe("HTML");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("button", { name: "Compare with original" }).click();
    await page.getByText("بكم", { exact: true }).waitFor();
    await expect.poll(() => page.locator(".compared del").allInnerTexts()).toEqual([segments[1]!.text, " بكم"]);
    await expect.poll(() => languageOf("بكم")).not.toBe("HTML");
  });
});
