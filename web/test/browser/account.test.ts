import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { askAsExtension, drawVerifier } from "../../../server/test/harness/connect-extension.ts";
import { rest } from "../../../server/test/harness/rest.ts";
import { aCollection, addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { signInByHand, visitsOfTests } from "./start-visits.ts";

describeInBrowser("accounts in a browser", () => {
  const visits = visitsOfTests();

  /** Somebody with a script, a report, a key and a bio page. */
  async function anOwner(email: string) {
    const visitor = await visits.openAs(email);
    const { person } = visitor;
    const scriptId = await addScript(visits.service, person.accountId, {
      text: "My own secret words.",
      handle: "owner",
    });
    const reportId: string = (await person.api("importReport", aCollection("watched.by.me", 4))).body.id;
    const { key, secret } = (await person.api("createKey", { name: "My own key" })).body;
    await person.api("updateBioPage", { displayName: "My own page" });
    return { ...visitor, scriptId, reportId, keyId: key.id as string, secret: secret as string };
  }

  test("show nothing of one person to another in neighboring browsers", async () => {
    const owner = await anOwner("owner@example.com");
    await owner.go("/app/library");
    await owner.page.getByRole("link", { name: "My own secret words." }).waitFor();

    const stranger = await visits.open("/app/library");
    const { page, go } = stranger;
    stranger.expectRefusals(401, 404);
    await signInByHand(page, "stranger@example.com");
    for (const [address, says] of [
      ["/app/library", "Transcribe your first reel"],
      ["/app/reports", "Create a report with the browser extension"],
      ["/app/settings/keys", "No keys yet"],
      ["/app/bio", "One page for all your links. Change anything later."],
      [`/app/scripts/${owner.scriptId}`, "This script is not in the library"],
      [`/app/reports/${owner.reportId}`, "Report not found"],
      [`/app/settings/keys/${owner.keyId}`, "You don’t have this key"],
    ] as const) {
      await go(address);
      await page.getByText(says).first().waitFor();
      expect(await page.getByRole("main").innerText(), address).not.toMatch(/My own|owner|watched/);
    }
  });

  test("list their sessions, and ending one signs out there at once", async () => {
    const here = await visits.openAs("everywhere@example.com");
    const there = await visits.open("/app/sign-in");
    there.expectRefusals(401);
    await signInByHand(there.page, "everywhere@example.com");
    await there.page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    await here.go("/app/settings/sessions");
    const sessions = here.page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await sessions.nth(1).waitFor();
    await expect.poll(() => sessions.filter({ hasText: "This session" }).count()).toBe(1);
    await sessions.getByRole("button", { name: /^End/ }).click();
    await here.page.getByText("Session ended").waitFor();
    await expect.poll(() => sessions.count()).toBe(1);

    await there.page.getByRole("link", { name: "Reports" }).first().click();
    await there.page.getByRole("link", { name: "Continue with your account" }).waitFor();
  });

  test("connect an extension from the tab it opened, and disconnect with sessions", async () => {
    const { url } = visits.service;
    const { verifier, challenge } = drawVerifier();
    const query = new URLSearchParams({ challenge, state: "state-of-the-extension" });
    const visitor = await visits.open(`/connect?${query}`);
    visitor.expectRefusals(401);
    const { page } = visitor;
    await signInByHand(page, "extended@example.com");
    await page.getByText("extended@example.com").waitFor();
    const consent = page.getByRole("main");
    // It says the same as the page for other programs: who asks, what it may do, where that ends, and two answers.
    await expect.poll(() => consent.getByRole("button").allInnerTexts()).toEqual(["Allow", "Don’t allow"]);
    await expect
      .poll(() => consent.innerText())
      .toMatch(
        /The Reelscript extension in this browser asks to use Reelscript as extended@example\.com\.\s+It may: see .* which uses your quota\.\s+Allow it only if .* You can disconnect it under Settings, Sessions\./,
      );
    await page.getByRole("button", { name: "Don’t allow" }).click();
    await page.getByRole("heading", { name: "Not connected" }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe("#error=denied&state=state-of-the-extension");

    await page.goto(`${url}/connect?${query}`);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByRole("heading", { name: "Return to the extension" }).waitFor();
    await page.waitForURL(/\/app\/connect\/done#/);
    const answer = new URLSearchParams(new URL(page.url()).hash.slice(1));
    expect([new URL(page.url()).pathname, answer.get("state")]).toEqual([
      "/app/connect/done",
      "state-of-the-extension",
    ]);
    const body = { code: answer.get("code"), verifier };
    const { status, body: connected } = await askAsExtension(url, "/extension/token", { body });
    expect([status, connected.account.email]).toEqual([200, "extended@example.com"]);

    await page.getByRole("link", { name: "See your sessions" }).click();
    const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await sessions
      .filter({ hasText: "Extension" })
      .getByRole("button", { name: /^Disconnect/ })
      .click();
    await expect.poll(() => sessions.count()).toBe(1);
    expect((await askAsExtension(url, "/usage", { token: connected.token })).status).toBe(401);
  });

  test("are exported whole, and gone for good when they are deleted", async () => {
    const { page, go, context, person, secret, scriptId, ...visitor } = await anOwner("leaving@example.com");
    const elsewhere = await visits.open("/app/sign-in");
    elsewhere.expectRefusals(401);
    await signInByHand(elsewhere.page, "leaving@example.com");

    await go("/app/settings/account");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as JSON" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
    const content = await readFile(await download.path(), "utf8");
    expect(content).not.toContain(secret);
    expect(JSON.parse(content)).toMatchObject({
      account: { email: "leaving@example.com" },
      scripts: [{ id: scriptId, transcript: "My own secret words." }],
      reports: [{ handle: "watched.by.me" }],
      bioPage: { displayName: "My own page" },
      keys: [{ name: "My own key" }],
    });

    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("somebody@example.com");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText("That isn’t your email address. Nothing was deleted.").waitFor();
    expect((await person.api("getSession")).status).toBe(200);
    visitor.expectRefusals(401);
    await dialog.getByRole("textbox").fill("leaving@example.com");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();

    expect((await context.request.get(`${visits.service.url}/app/api/session`)).status()).toBe(401);
    expect((await rest(visits.service.url, "/usage", { key: secret })).status).toBe(401);
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("link", { name: "Continue with your account" }).waitFor();
    await signInByHand(elsewhere.page, "leaving@example.com");
    await elsewhere.page.goto(`${visits.service.url}/app/library`);
    await elsewhere.page.getByText("Transcribe your first reel").waitFor();
  });
});
