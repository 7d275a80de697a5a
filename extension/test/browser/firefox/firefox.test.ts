import { allDoors, type StandinReel } from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SignedIn } from "../../../../server/test/harness/sign-in.ts";
import { hour } from "../../../../server/test/harness/test-clock.ts";
import { heardWords } from "../heard-words.ts";
import { describeInFirefox } from "./firefox-program.ts";
import { startFirefoxExtension, type FirefoxTrial } from "./start-firefox-extension.ts";

describeInFirefox("the extension in Firefox", () => {
  let trial: FirefoxTrial;
  let person: SignedIn;
  let bytes: Buffer;

  beforeAll(async () => {
    trial = await startFirefoxExtension(heardWords);
    bytes = await trial.service.standin.reels[0]!.media[0]!.load();
    person = await trial.connectByHand("firefox@example.com");
  });
  // Two single reels and two of batches may be transcribed in an hour.
  beforeEach(() => {
    trial.service.standin.setWall(undefined);
    trial.service.clock.advance(2 * hour);
  });
  afterAll(async () => trial?.close());

  const addReel = (handle: string): StandinReel => trial.service.standin.addReel({ handle, bytes, seconds: 4 });

  const seek = async (at: number): Promise<void> =>
    trial.firefox.evaluate((seconds) => {
      document.querySelector("video")!.currentTime = seconds;
    }, at);

  it("transcribes a reel, follows it word by word, and marks it", async () => {
    const { panel, firefox } = trial;
    const { code } = addReel("fox.loaf");
    await trial.visit(`/reel/${code}/`);
    expect((await trial.drawn("launcher"))[0]?.label).toBe("Transcribe");
    await trial.openPanel();
    await panel.waitFor(/^English, Spanish and \w+ more\./m);
    await panel.press("Transcribe");
    await panel.waitFor("Copy");
    const said = async () => panel.evaluate(() => document.querySelector(".said")?.textContent);
    for (const { start, text } of [heardWords.words[1]!, heardWords.words[5]!]) {
      await seek(start + 0.2);
      await expect.poll(said).toBe(text.trim());
    }
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(1);
    // Nothing of it is in the page's own document.
    expect(await firefox.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/reelscript|In your library/i);

    await trial.visit("/fox.loaf/");
    await expect.poll(async () => (await trial.drawn("mark")).length).toBe(1);
    await trial.visit(`/reel/${code}/`);
    await expect.poll(async () => (await trial.drawn("launcher"))[0]?.label).toBe("In your library");
  });

  it("opens for a person's press, and not for one of the page", async () => {
    await trial.visit(`/reel/${addReel("fox.trap").code}/`);
    await expect.poll(async () => (await trial.drawn("launcher")).length).toBe(1);
    const { x, y } = (await trial.drawn("launcher"))[0]!;
    const root = await trial.firefox.evaluate(
      (left, top) => {
        const host = document.elementFromPoint(left, top) as HTMLElement;
        host.click();
        for (const type of ["mousedown", "mouseup", "click"])
          host.dispatchEvent(new MouseEvent(type, { clientX: left, clientY: top, bubbles: true, composed: true }));
        return host.shadowRoot;
      },
      x,
      y,
    );
    expect(root).toBeNull();
    expect(await trial.drawn("panel")).toEqual([]);
    await trial.openPanel();
    expect(await trial.drawn("panel")).toHaveLength(1);
    await trial.panel.press("Close");
    await expect.poll(async () => trial.drawn("panel")).toEqual([]);
  });

  it("sends the reel from this browser when the platform turns the service away", async () => {
    const before = (await person.api("getUsage")).body.transcriptions.used as number;
    await trial.visit(`/reel/${addReel("fox.wall").code}/`);
    await trial.openPanel();
    trial.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    await trial.panel.press("Transcribe");
    await trial.panel.press("Send this reel");
    await trial.panel.waitFor("Copy");
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(before + 1);
  });

  it("transcribes selected reels as one batch, and marks them", async () => {
    const { panel } = trial;
    addReel("fox.batch");
    addReel("fox.batch");
    await trial.visit("/fox.batch/");
    await trial.openPanel();
    await panel.press("Select reels");
    await expect.poll(async () => (await trial.drawn("tile")).length).toBe(2);
    for (const index of [0, 1]) {
      await trial.firefox.pressAt((await trial.drawn("tile"))[index]!);
      await expect.poll(async () => (await trial.drawn("tile"))[index]?.isPressed).toBe(true);
    }
    await panel.waitFor("This uses at most 2 transcriptions");
    await panel.press("Transcribe 2 reels");
    await panel.waitFor("2 of 2 reels transcribed");
    await expect.poll(async () => (await trial.drawn("mark")).length).toBe(2);
    expect((await person.api("listBatches")).body.batches).toMatchObject([{ counts: { total: 2 } }]);
  });

  it("makes a report of the reels that a profile loads", async () => {
    const { panel, service } = trial;
    for (let index = 0; index < 30; index += 1)
      service.standin.addReel({
        handle: "fox.report",
        bytes,
        seconds: 12,
        plays: 1_000 + index * 100,
        likes: 50 + index,
        comments: index,
        postedAt: new Date(Date.UTC(2026, 5, 1 + index * 2, 6 + (index % 12))),
      });
    await trial.visit("/fox.report/");
    await trial.openPanel();
    await panel.press("Analyze @fox.report");
    await panel.waitFor("Report ready");
    const [report] = (await person.api("listCompetitorReports")).body.reports;
    expect(report).toMatchObject({ handle: "fox.report", reelsAnalyzed: 30 });
  });

  it("leads to Connect, in a tab of the extension, when its token is revoked", async () => {
    await trial.visit(`/reel/${addReel("fox.end").code}/`);
    await trial.openPanel();
    const sessions = (await person.api("listSessions")).body.sessions as { id: string; kind?: string }[];
    await person.api("revokeSession", { id: sessions.find(({ kind }) => kind === "extension")!.id });
    await trial.panel.press("Transcribe");
    await trial.panel.waitFor("Connect your account");
    await trial.panel.press("Connect");
    const connect: unknown = expect.stringMatching(/^moz-extension:.*\/connect\.html$/);
    await expect.poll(async () => trial.openTabs()).toContainEqual(connect);
  });
});
