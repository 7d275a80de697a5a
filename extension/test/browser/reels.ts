import { readFile } from "node:fs/promises";
import { beginningOf, draftHint } from "@reelscript/contract/values";
import { allDoors, type StandinReel } from "@reelscript/platform-standin";
import type { Frame, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { SignedIn } from "../../../server/test/harness/sign-in.ts";
import { pressSeen } from "./press-seen.ts";
import { shoot, type ExtensionTrial } from "./start-extension.ts";

export function reels(trial: ExtensionTrial): void {
  let person: SignedIn;
  beforeAll(async () => void (person = await trial.connectAs("reels@example.com")));

  const calls = (): string => `${trial.service.url}/app/api/**`;

  let handles = 0;
  const aHandle = (): string => `sliced.loaves.${(handles += 1)}`;

  const addReel = async (handle = aHandle()): Promise<StandinReel> => {
    const [media] = trial.service.standin.reels[0]!.media;
    return trial.service.standin.addReel({ handle, bytes: await media!.load(), seconds: media!.seconds });
  };

  const open = async (code: string, page?: Page): Promise<{ readonly page: Page; readonly panel: Frame }> => {
    const tab = await trial.visit(`/reel/${code}/`, page);
    return { page: tab, panel: await trial.openPanel(tab) };
  };

  /** The panel on a profile, where two reels of it are selected. */
  const selectTwoReels = async (handle: string): Promise<{ readonly page: Page; readonly panel: Frame }> => {
    await addReel(handle);
    await addReel(handle);
    const page = await trial.visit(`/${handle}/`);
    const panel = await trial.openPanel(page);
    await panel.getByRole("button", { name: "Select reels" }).click();
    await trial.selectTiles(page, 2);
    return { page, panel };
  };

  it("transcribes the reel, follows it word by word, and marks it", async () => {
    const reel = await addReel();
    const { page, panel } = await open(reel.code);
    await trial.before(`${trial.service.url}/app/api/transcribe`, async () => {
      await pressSeen(panel.getByRole("button", { name: "Transcribe" }));
      await panel.getByRole("progressbar").waitFor();
      await shoot(page, "transcribing");
    });
    await panel.getByRole("button", { name: "Copy" }).waitFor();

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

    const requestCount = trial.requests.length;
    await trial.visit(`/${reel.owner.username}/`, page);
    await expect.poll(async () => (await trial.drawn(page, "mark")).length).toBe(1);
    await shoot(page, "marks");
    await trial.visit(`/reel/${reel.code}/`, page);
    await expect.poll(async () => (await trial.drawn(page, "launcher"))[0]?.label).toBe("In your library");
    expect(trial.requests.slice(requestCount)).toEqual([]);
    // Nothing of it is in the page's own document.
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/reelscript|In your library/i);
  });

  it("transcribes selected reels as one batch, and marks them", async () => {
    const requestCount = trial.requests.length;
    const { page, panel } = await selectTwoReels(aHandle());
    await panel.getByText("This uses at most 2 transcriptions").waitFor();
    await shoot(page, "selecting");
    await pressSeen(panel.getByRole("button", { name: "Transcribe 2 reels" }));
    await panel.getByText("2 of 2 reels transcribed", { exact: true }).waitFor();
    const rows = panel.getByRole("listitem");
    const [script] = (await person.api("searchMyScripts", { limit: 1 })).body.scripts;
    await expect.poll(() => rows.first().getByRole("link").innerText()).toBe(beginningOf(script.transcript));
    await rows.first().getByText(`@${script.account}`).waitFor();
    await rows.first().getByText("Transcribed", { exact: true }).waitFor();
    await expect.poll(() => panel.locator("li .cue path[d^='M']").count()).toBe(2);
    await shoot(page, "batch");
    await expect.poll(async () => (await trial.drawn(page, "mark")).length).toBe(2);
    const changes = trial.requests.slice(requestCount).filter((request) => request.startsWith("POST "));
    expect(changes).toEqual(["POST /app/api/transcriptions"]);
    await panel.getByRole("button", { name: "Back" }).click();
    await panel.getByRole("button", { name: "Select reels" }).waitFor();
    expect(await panel.getByRole("button", { name: "Show sent reels" }).count()).toBe(0);
  });

  it("offers a draft in a language that is refused unless it is named", async () => {
    const { panel } = await open((await addReel()).code);
    await panel.getByText(/^English, Spanish and \w+ more\./).waitFor();
    const hints: unknown[] = [];
    const message = `We can't transcribe Arabic reliably with the current model. ${draftHint("ar")} You weren't charged.`;
    await trial.context.route(`${trial.service.url}/app/api/transcribe`, async (route) => {
      hints.push((route.request().postDataJSON() as { languageHint?: string }).languageHint);
      if (hints.length > 1) return route.fallback();
      return route.fulfill({
        status: 422,
        headers: { "x-error-reason": "speechNotRecognized" },
        json: { error: { code: "invalidRequest", message } },
      });
    });
    await pressSeen(panel.getByRole("button", { name: "Transcribe" }));
    await panel.getByText("We can’t transcribe Arabic reliably with the current model. You weren’t charged.").waitFor();
    await pressSeen(panel.getByRole("button", { name: "Draft in Arabic" }));
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    expect(hints).toEqual([undefined, "ar"]);
    await trial.context.unroute(`${trial.service.url}/app/api/transcribe`);
  });

  it("shows how far sent reels are when the panel is opened again", async () => {
    const handle = aHandle();
    const { page, panel } = await selectTwoReels(handle);
    trial.gate.close();
    await pressSeen(panel.getByRole("button", { name: "Transcribe 2 reels" }));
    await panel.getByText("You can close this panel.").waitFor();
    await page.close();

    const later = await trial.visit(`/${handle}/`);
    const again = await trial.openPanel(later);
    await again.getByText("0 of 2 reels transcribed", { exact: true }).waitFor();
    await again.getByRole("button", { name: "Back" }).click();
    await again.getByRole("button", { name: "Show sent reels" }).click();
    trial.gate.open();
    await again.getByText("2 of 2 reels transcribed", { exact: true }).waitFor();
    await expect.poll(async () => (await trial.drawn(later, "mark")).length).toBe(2);
  });

  it("starts the library over, in one pass, when the service refuses an old cursor", async () => {
    const mine = await addReel();
    const gone = await addReel();
    for (const { code } of [mine, await addReel()])
      await person.api("transcribeReel", { url: `https://www.instagram.com/reel/${code}/` });
    await trial.context.route(`${trial.service.url}/app/api/script-reels**`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { scripts?: { reelUrl: string }[] };
      const other = body.scripts?.find(({ reelUrl }) => !reelUrl.includes(mine.code));
      if (other !== undefined) other.reelUrl = "https://www.tiktok.com/@somebody/video/7300000000000000001";
      await route.fulfill({ response, json: body });
    });
    await trial.keep({ library: { scripts: { [gone.code]: "scr_gone" }, cursor: "of-another-release" } });
    const requestCount = trial.requests.length;

    const { page, panel } = await open(gone.code);
    await panel.getByRole("button", { name: "Transcribe" }).waitFor();
    await trial.visit(`/reel/${mine.code}/`, page);
    await expect.poll(async () => (await trial.drawn(page, "launcher"))[0]?.label).toBe("In your library");
    expect(trial.requests.slice(requestCount).filter((request) => request.endsWith("/script-reels"))).toHaveLength(2);
  });

  it("sends the reel from this browser when the platform turns the service away", async () => {
    const { page, panel } = await open((await addReel()).code);
    trial.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    await pressSeen(panel.getByRole("button", { name: "Transcribe" }));
    const send = panel.getByRole("button", { name: "Send this reel" });
    await send.waitFor();
    await shoot(page, "send");
    await send.click();
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    expect(trial.requests).toContain("POST /app/api/reel-media");
  });

  it("says when the service is away, and goes back to Connect when its token is revoked", async () => {
    const popup = await trial.context.newPage();
    await popup.goto(`chrome-extension://${trial.id}/popup.html`);
    await popup.getByText("reels@example.com").waitFor();
    await popup.getByText(/\d of 10/).waitFor();
    await popup.setViewportSize({ width: 340, height: 420 });
    await shoot(popup, "popup");

    const { panel } = await open((await addReel()).code);
    await panel.getByRole("button", { name: "Transcribe" }).waitFor();
    await trial.context.route(calls(), (route) => route.abort());
    await pressSeen(panel.getByRole("button", { name: "Transcribe" }));
    await panel.getByText("Can’t reach Reelscript").waitFor();
    await trial.context.unroute(calls());

    const sessions = (await person.api("listSessions")).body.sessions as { id: string; kind?: string }[];
    const token = sessions.find(({ kind }) => kind === "extension") ?? expect.fail(JSON.stringify(sessions));
    await person.api("revokeSession", { id: token.id });
    await panel.getByRole("button", { name: "Try again" }).click();
    await panel.getByRole("heading", { name: "Connect your account" }).waitFor();
    await popup.getByRole("heading", { name: "Connect your account" }).waitFor();
  });
}
