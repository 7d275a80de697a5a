import type { Frame, Page, Route } from "playwright-core";
import { allDoors } from "@reelscript/platform-standin";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { SignedIn } from "../../../server/test/harness/sign-in.ts";
import { hour } from "../../../server/test/harness/test-clock.ts";
import type { Batch } from "../../src/service/sent-reels.ts";
import { pressSeen } from "./press-seen.ts";
import { nextList, type ExtensionTrial } from "./start-extension.ts";

export function outages(trial: ExtensionTrial): void {
  let person: SignedIn;
  let bytes: Buffer;
  let people = 0;
  let handles = 0;
  const newEmail = (): string => `outage${(people += 1)}@example.com`;

  beforeAll(async () => void (bytes = await trial.service.standin.reels[0]!.media[0]!.load()));
  beforeEach(async () => void (person = await trial.connectAs(newEmail())));

  const aHandle = (): string => `rolls.${(handles += 1)}`;
  const aReel = (handle = aHandle()) => trial.service.standin.addReel({ handle, bytes, plays: 1_000 });
  const at = (path: string): string => `${trial.service.url}/app/api${path}`;
  const postsUsed = async (): Promise<number> => (await person.api("getUsage")).body.posts.used;
  const refuse = async (route: Route): Promise<void> => route.abort("connectionrefused");

  async function profile(reels: number): Promise<{ handle: string; page: Page; panel: Frame }> {
    const handle = aHandle();
    for (let index = 0; index < reels; index += 1) aReel(handle);
    const page = await trial.visit(`/${handle}/`);
    return { handle, page, panel: await trial.openPanel(page) };
  }

  const press = async (panel: Frame, name: string): Promise<void> => pressSeen(panel.getByRole("button", { name }));

  it.each(["loginRedirect", "htmlInsteadOfJson"] as const)(
    "stops at a login wall (%s), and continues when the person has logged in",
    async (name) => {
      const { standin } = trial.service;
      standin.setWall({ name, doors: ["profileList"] });
      const { panel } = await profile(30);
      await press(panel, "Analyze");
      await panel.getByText("wants you to log in").waitFor();
      await panel.getByRole("button", { name: "Stop and use 12" }).waitFor();
      standin.setWall(undefined);
      await press(panel, "Continue");
      await panel.getByText("Report ready").waitFor();
      expect(await postsUsed()).toBe(30);
    },
  );

  it("waits for a page that loads slowly", async () => {
    const { panel } = await profile(30);
    // Longer than the collector looks for more at the end of a page.
    const slowly = async (route: Route): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      await route.fallback();
    };
    await trial.context.route(nextList, slowly, { times: 1 });
    await press(panel, "Analyze");
    await panel.getByText("Report ready").waitFor();
    expect(await postsUsed()).toBe(30);
  });

  it("keeps what it has while the person is offline, and continues where it was", async () => {
    const { panel } = await profile(30);
    await trial.before(nextList, async () => {
      await press(panel, "Analyze");
      await press(panel, "Pause");
      await panel.getByRole("button", { name: "Continue" }).waitFor();
    });
    await trial.context.setOffline(true);
    await press(panel, "Continue");
    await panel.getByText("You’re offline. What you collected is kept here.").waitFor();
    await panel.getByRole("button", { name: /^Stop and use \d+$/ }).waitFor();
    await trial.context.setOffline(false);
    await press(panel, "Continue");
    await panel.getByText("Report ready").waitFor();
    expect(await postsUsed()).toBe(30);
  });

  it("keeps a report while the service is away, and sends it when the service is back", async () => {
    const { page, panel } = await profile(12);
    await trial.context.route(at("/**"), refuse);
    await press(panel, "Analyze");
    await panel.getByText("Can’t reach Reelscript.").first().waitFor();
    await panel.getByText("The 12 reels you collected are kept in this browser.").waitFor();
    await press(panel, "Send again");
    await panel.getByText("The 12 reels you collected are kept in this browser.").waitFor();

    await page.reload();
    const again = await trial.openPanel(page);
    await again.getByText("12 reels from").waitFor();
    await trial.context.unroute(at("/**"));
    await press(again, "Send again");
    await again.getByText("Report ready").waitFor();
    expect(await postsUsed()).toBe(12);
    await press(again, "Back");
    await again.getByRole("button", { name: "Analyze" }).waitFor();
    await expect.poll(() => again.getByText("12 reels from").count()).toBe(0);
  });

  it("counts a report once when its answer is lost on the way", async () => {
    const { panel } = await profile(12);
    let lost = 0;
    await trial.context.route(at("/competitor-reports"), async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort("connectionreset");
    });
    await press(panel, "Analyze");
    await panel.getByText("are kept in this browser").waitFor();
    expect(lost).toBeGreaterThan(0);
    expect(await postsUsed()).toBe(12);
    await trial.context.unroute(at("/competitor-reports"));
    await press(panel, "Send again");
    await panel.getByText("Report ready").waitFor();
    expect(await postsUsed()).toBe(12);
    expect((await person.api("listCompetitorReports")).body.reports).toHaveLength(1);
  });

  it("promises an unchanged usage only when the service refused the reels", async () => {
    const { panel } = await profile(12);
    const answerWith = async (answer: { status: number; body: string; contentType: string }): Promise<void> => {
      await trial.context.unroute(at("/competitor-reports"));
      await trial.context.route(at("/competitor-reports"), async (route) => route.fulfill(answer));
    };
    const errorOf = (code: string, message: string): string =>
      JSON.stringify({ error: { code, message, requestId: "req_1" } });
    const contentType = "application/json";
    const keptNote = panel.getByText("are kept in this browser");
    const saysAfter = async (name: string, text: string): Promise<string | null> => {
      await press(panel, name);
      await panel.getByText(text).waitFor();
      return keptNote.textContent();
    };
    const once = "Sending them again counts them only once.";

    await answerWith({ status: 502, body: "<h1>Bad Gateway</h1>", contentType: "text/html" });
    expect(await saysAfter("Analyze", "Something other than Reelscript responded")).toContain(once);
    const inUse = errorOf("inProgress", "A request with this Idempotency-Key is still in progress.");
    await answerWith({ status: 409, body: inUse, contentType });
    expect(
      await saysAfter("Send again", "Reelscript is still working on these reels. Try again in a minute."),
    ).toContain(once);
    await expect.poll(() => panel.getByText("Idempotency-Key").count()).toBe(0);
    for (const [status, code] of [
      [403, "limitReached"],
      [400, "invalidRequest"],
    ] as const) {
      await answerWith({ status, body: errorOf(code, `It is ${code}.`), contentType });
      expect(await saysAfter("Send again", `It is ${code}.`)).toContain("Your usage didn’t change.");
    }
  });

  it("leaves nothing behind when sending a reel is canceled, and cannot cancel what is sent", async () => {
    const reel = aReel();
    const page = await trial.visit(`/reel/${reel.code}/`);
    const panel = await trial.openPanel(page);
    trial.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    const offered = panel.getByRole("heading", { name: "Transcribe this reel" });
    const send = async (): Promise<void> => {
      await press(panel, "Transcribe");
      await press(panel, "Send this reel");
    };
    const held = async (address: RegExp): Promise<void> => {
      const requestReached = new Promise<void>((resolve) => void trial.context.route(address, () => resolve()));
      await send();
      await requestReached;
      await press(panel, "Cancel");
      await offered.waitFor();
      await trial.context.unroute(address);
    };
    await offered.waitFor();
    await held(/^https:\/\/scontent\.cdninstagram\.com\/.*(?:mp4|video|media)/);
    await held(/\/app\/api\/reel-media\?/);
    expect(await panel.getByText("Not transcribed", { exact: true }).count()).toBe(0);
    expect((await person.api("getUsage")).body.transcriptions.used).toBe(0);

    trial.gate.close();
    trial.service.clock.advance(2 * hour);
    await send();
    await panel.getByText("Transcribing…").waitFor();
    await expect.poll(() => panel.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    trial.gate.open();
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    await expect.poll(async () => (await person.api("getUsage")).body.transcriptions.used).toBe(1);
  });

  async function sendAll(page: Page, panel: Frame, reels: number): Promise<void> {
    await press(panel, "Select reels");
    await trial.selectTiles(page, reels);
    await press(panel, `Transcribe ${reels} reels`);
  }
  const limitNote = (panel: Frame) =>
    panel.getByText(/^You’ve reached the hour’s limit\. The next reels begin in [\d,]+ min\.$/);
  const used = async (): Promise<number> => (await person.api("getUsage")).body.transcriptions.used;

  it("says what reels wait for, and cancels those that haven't begun", async () => {
    const { page, panel, handle } = await profile(3);
    await sendAll(page, panel, 3);
    await limitNote(panel).waitFor();
    await panel.getByText("2 of 3 reels transcribed", { exact: true }).waitFor();
    await press(panel, "Cancel the rest");
    await panel.getByText("2 of 3 reels transcribed, 1 canceled", { exact: true }).waitFor();
    await expect.poll(() => limitNote(panel).count()).toBe(0);
    expect(await used()).toBe(2);
    await expect.poll(async () => (await trial.drawn(page, "mark")).length).toBe(2);
    const marks = Array.from({ length: 2 }, () => "In your Reelscript library");
    await expect.poll(async () => imagesForScreenReaders(page)).toEqual(marks);

    // Another account of the same browser has a library of its own.
    await trial.connectByHand(newEmail());
    const other = await trial.visit(`/${handle}/`);
    const empty = await trial.openPanel(other);
    await empty.getByRole("button", { name: "Select reels" }).waitFor();
    expect(await empty.getByRole("button", { name: "Show sent reels" }).count()).toBe(0);
    expect(await trial.drawn(other, "mark")).toEqual([]);
  });

  it("continues when the hour has room again", async () => {
    const { page, panel } = await profile(3);
    await sendAll(page, panel, 3);
    await limitNote(panel).waitFor();
    // A transcription under way would lose its lease with the hour.
    await panel.getByText("2 of 3 reels transcribed", { exact: true }).waitFor();
    trial.service.clock.advance(hour);
    await panel.getByText("3 of 3 reels transcribed", { exact: true }).waitFor();
    expect(await used()).toBe(3);
  });

  it("retries the failed reels of a batch", async () => {
    const { page, panel } = await profile(2);
    trial.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    await sendAll(page, panel, 2);
    await panel.getByText("0 of 2 reels transcribed, 2 failed", { exact: true }).waitFor();
    trial.service.standin.setWall(undefined);
    trial.service.clock.advance(2 * hour);
    await press(panel, "Retry failed");
    await panel.getByText("2 of 2 reels transcribed", { exact: true }).waitFor();
    expect(await used()).toBe(2);
  });

  it("keeps reels that the service doesn't have yet until they are sent by hand", async () => {
    const { page, panel } = await profile(2);
    await trial.context.route(at("/transcriptions"), refuse);
    await sendAll(page, panel, 2);
    const countdown = panel.getByText(/^The connection was lost\. Continuing in \d:\d\d\.$/);
    const text = await countdown.textContent();
    await expect.poll(async () => countdown.textContent()).not.toBe(text);
    await page.reload();
    const again = await trial.openPanel(page);
    await again.getByText("0 of 2 reels transcribed", { exact: true }).waitFor();
    await expect.poll(() => again.getByText("Not sent", { exact: true }).count()).toBe(2);
    await trial.context.unroute(at("/transcriptions"));
    expect((await person.api("listBatches")).body.batches).toEqual([]);
    await press(again, "Send the rest");
    await again.getByText("2 of 2 reels transcribed", { exact: true }).waitFor();
    expect(await used()).toBe(2);
  });

  it("sends more than a hundred reels as several batches, and cancels them all", async () => {
    const { page, handle } = await profile(1);
    const unsent = Array.from({ length: 120 }, (_, index) => `DQ${String(index).padStart(9, "a")}`);
    await trial.keep({ sentReels: { handle, batches: [], unsent } });
    await page.reload();
    const panel = await trial.openPanel(page);
    await press(panel, "Send the rest");
    const batches = async (): Promise<Batch[]> => (await person.api("listBatches")).body.batches;
    await expect.poll(async () => (await batches()).map(({ counts }) => counts.total)).toEqual([20, 100]);
    await expect.poll(() => panel.getByText("Not sent", { exact: true }).count()).toBe(0);
    expect(await panel.getByRole("listitem").count(), "each reel is in one of the batches").toBe(120);
    await press(panel, "Cancel the rest");
    await expect.poll(async () => (await batches()).map(({ status }) => status)).toEqual(["finished", "finished"]);
    await panel.getByText(/^0 of 120 reels transcribed, \d+ failed, \d+ canceled$/).waitFor();
  });

  it("keeps a selection for which there is no room among reels that aren't sent", async () => {
    const { page, panel, handle } = await profile(2);
    const unsent = Array.from({ length: 999 }, (_, index) => `DQ${String(index).padStart(9, "b")}`);
    await press(panel, "Select reels");
    await trial.selectTiles(page, 2);
    await trial.keep({ sentReels: { handle: "somebody.else", batches: [], unsent } });
    await press(panel, "Transcribe 2 reels");
    await panel.getByText("999 reels aren’t sent yet. Send them first, then these 2.").waitFor();
    await trial.keep({ sentReels: { handle, batches: [], unsent: [] } });
    await press(panel, "Transcribe 2 reels");
    await expect.poll(used).toBe(2);
  });
}

/** Unlike the page's scripts, screen readers see into a closed shadow root. */
async function imagesForScreenReaders(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && role?.value === "image")
    .map(({ name }) => String(name?.value))
    .filter((name) => name.includes("Reelscript"));
}
