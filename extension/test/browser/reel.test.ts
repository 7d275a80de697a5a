import { readFile } from "node:fs/promises";
import { allDoors, type StandinReel } from "@reelscript/platform-standin";
import type { Frame, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SignedIn } from "../../../server/test/harness/sign-in.ts";
import { chromiumProgram, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";
import { shoot } from "./shoot.ts";
import { startExtension, type ExtensionTrial } from "./start-extension.ts";

/** The model listens, on a machine that may be busy with much else. */
const listening = { timeout: 240_000 };

describe.skipIf(chromiumProgram === undefined)(`the extension on reels${unlessSkipped}`, () => {
  let trial: ExtensionTrial;
  let person: SignedIn;

  beforeAll(async () => {
    trial = await startExtension();
    person = await trial.signIn("reels@example.com");
    await (await trial.connect()).close();
  });
  afterEach(async () => {
    trial.service.standin.setWall(undefined);
    await trial.context.unroute(calls());
  });
  afterAll(async () => trial?.close());

  const calls = (): string => `${trial.service.url}/app/api/**`;

  // A test that is tried again begins with a profile that nobody has seen.
  let handles = 0;
  const aHandle = (): string => `loaves.${(handles += 1)}`;

  /** On a page of its own: only the first rows of a page are shown. */
  const addCopy = async (handle: string, { media: [media] }: StandinReel): Promise<StandinReel> =>
    trial.service.standin.addReel({ handle, bytes: await media!.load(), seconds: media!.seconds });

  const open = async (code: string, page?: Page): Promise<{ readonly page: Page; readonly panel: Frame }> => {
    const shown = await trial.visit(`/reel/${code}/`, page);
    return { page: shown, panel: await trial.openPanel(shown) };
  };

  it("transcribes the reel, follows it word by word, and marks it", { timeout: 300_000 }, async () => {
    const [said] = trial.service.standin.reels.filter(({ kind, language }) => kind === "speech" && language === "en");
    const reel = await addCopy(aHandle(), said!);
    const { page, panel } = await open(reel.code);
    let send = (): void => undefined;
    const seen = new Promise<void>((resolve) => (send = resolve));
    const hold = async (route: Route): Promise<void> => {
      await seen;
      await route.fallback();
    };
    await trial.context.route(`${trial.service.url}/app/api/transcribe`, hold, { times: 1 });
    await panel.getByRole("button", { name: "Transcribe" }).click();
    await panel.getByRole("progressbar").waitFor();
    await shoot(page, "transcribing");
    send();
    await panel.getByRole("button", { name: "Copy" }).waitFor(listening);

    const [id] = (await person.api("searchMyScripts")).body.scripts.map((script: { id: string }) => script.id);
    const script = (await person.api("getScript", { id, words: true })).body;
    const word = script.words[Math.floor(script.words.length / 2)];
    await page.evaluate(
      (at) => Object.assign(document.querySelector("video")!, { currentTime: at, muted: true }),
      (word.start + word.end) / 2,
    );
    await expect.poll(async () => panel.locator(".said").allTextContents()).toEqual([word.text.trim()]);
    await shoot(page, "follow-along");

    const lines = panel.locator(".segments button");
    await expect.poll(() => lines.count()).toBe(script.segments.length);
    await lines.last().click();
    await expect
      .poll(() => page.evaluate(() => document.querySelector("video")!.currentTime))
      .toBeGreaterThanOrEqual(script.segments.at(-1).start);
    await panel.getByRole("searchbox").fill(word.text.trim());
    await expect.poll(() => panel.locator("mark").count()).toBeGreaterThan(0);
    await panel.getByRole("searchbox").fill("");

    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: "SRT" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toMatch(/^1\r?\n00:00:\d\d,\d{3} --> /);
    await expect(panel.getByRole("link", { name: "Open in library" }).getAttribute("href")).resolves.toBe(
      `${trial.service.url}/app/scripts/${id}`,
    );

    const asked = trial.requests.length;
    await trial.visit(`/${reel.owner.username}/`, page);
    await expect.poll(async () => (await trial.drawn(page, "mark")).length).toBe(1);
    await shoot(page, "marks");
    await trial.visit(`/reel/${reel.code}/`, page);
    await expect.poll(async () => (await trial.drawn(page, "launcher"))[0]?.label).toBe("In your library");
    expect(trial.requests.slice(asked)).toEqual([]);
    // Nothing of it is in the page's own document.
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/reelscript|In your library/i);
    await page.close();
  });

  it("transcribes selected reels, and marks them", { timeout: 300_000 }, async () => {
    const [first, second] = trial.service.standin.reels.filter(
      ({ kind, language }) => kind === "speech" && language !== "en",
    );
    const handle = aHandle();
    await addCopy(handle, first!);
    await addCopy(handle, second!);
    const page = await trial.visit(`/${handle}/`);
    const panel = await trial.openPanel(page);
    await panel.getByRole("button", { name: "Select reels" }).click();
    await trial.selectTiles(page, 2);
    await panel.getByText("This uses at most 2 transcriptions").waitFor();
    await shoot(page, "selecting");
    await panel.getByRole("button", { name: "Transcribe 2 reels" }).click();
    await panel.getByRole("link", { name: "Open library" }).waitFor(listening);
    await panel.getByText("2 of 2 reels transcribed", { exact: true }).waitFor();
    await shoot(page, "batch");
    await expect.poll(async () => (await trial.drawn(page, "mark")).length).toBe(2);
    await page.close();
  });

  it("sends the reel from this browser when the platform turns the service away", { timeout: 300_000 }, async () => {
    const { standin } = trial.service;
    const reel = standin.reels.find(({ kind, language }) => kind === "speech" && language === "es")!;
    const { page, panel } = await open(reel.code);
    standin.setWall({ name: "pleaseWait", doors: allDoors });
    await panel.getByRole("button", { name: "Transcribe" }).click();
    const send = panel.getByRole("button", { name: "Send this reel" });
    await send.waitFor();
    await shoot(page, "send");
    await send.click();
    await panel.getByRole("button", { name: "Copy" }).waitFor(listening);
    expect(trial.requests).toContain("POST /app/api/reel-media");
    await page.close();
  });

  it("says when the service is away, and goes back to Connect when its token is revoked", async () => {
    const popup = await trial.context.newPage();
    await popup.goto(`chrome-extension://${trial.id}/popup.html`);
    await popup.getByText("reels@example.com").waitFor();
    await popup.getByText(/\d of 10/).waitFor();
    await popup.setViewportSize({ width: 340, height: 420 });
    await shoot(popup, "popup");

    const reel = trial.service.standin.reels.find(({ kind, language }) => kind === "speech" && language === "it")!;
    const { page, panel } = await open(reel.code);
    await panel.getByRole("button", { name: "Transcribe" }).waitFor();
    await trial.context.route(calls(), (route) => route.abort());
    await panel.getByRole("button", { name: "Transcribe" }).click();
    await panel.getByText("Can't reach Reelscript").waitFor();
    await trial.context.unroute(calls());

    const sessions = (await person.api("listSessions")).body.sessions as { id: string; kind?: string }[];
    const token = sessions.find(({ kind }) => kind === "extension") ?? expect.fail(JSON.stringify(sessions));
    await person.api("revokeSession", { id: token.id });
    await panel.getByRole("button", { name: "Try again" }).click();
    await panel.getByRole("heading", { name: "Connect your account" }).waitFor();
    await popup.getByRole("heading", { name: "Connect your account" }).waitFor();
    await page.close();
  });
});
