import { expect, test } from "vitest";
import { connectMcp } from "../../../server/test/harness/connect-mcp.ts";
import { createApiKey } from "../../../server/src/callers/authenticate.ts";
import { rest } from "../../../server/test/harness/rest.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { lookAt } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const day = 86_400_000;

describeInBrowser("API keys in a browser", () => {
  const visits = visitsOfTests();

  test("are created, copied, used over REST and MCP, and revoked immediately", async () => {
    const { service } = visits;
    const { page } = await visits.openAs("maker@example.com", "/app/settings/keys");
    await page.getByText("No keys yet").waitFor();
    expect(await page.getByRole("button", { name: "New key" }).count(), "one button for one act").toBe(0);
    await page.getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Give the key a name.").waitFor();
    await dialog.getByLabel("Name").fill("Notebook");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Copy your key now").waitFor();
    const done = dialog.getByRole("button", { name: "Done" });
    await expect.poll(() => done.isDisabled(), { message: "it is shown once, so it must be copied first" }).toBe(true);
    await Promise.all([
      page.getByText("Copied the key").waitFor(),
      dialog.getByRole("button", { name: "Copy key" }).click(),
    ]);
    const key = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(key).toMatch(/^svc_sk_[\w-]{20,}$/);
    await expect.poll(() => dialog.getByRole("group", { name: "Notebook" }).locator("code").innerText()).toBe(key);
    await dialog.getByLabel("I have copied it").check();
    await done.click();
    await page.getByRole("row", { name: /Notebook/ }).waitFor();
    expect(await page.content(), "never again").not.toContain(key);
    await expect
      .poll(() => page.getByRole("row", { name: /Notebook/ }).innerText())
      .toContain(`svc_sk_…${key.slice(-4)}`);

    const statusOf = async (path: string) => (await rest(service.url, path, { key })).status;
    expect([await statusOf("/usage"), await statusOf("/scripts/none")]).toEqual([200, 404]);
    const client = await connectMcp(service.url, "modern", key);
    const answer = await client.callTool({ name: "search_my_scripts", arguments: { query: "hook" } });
    expect(answer.isError, JSON.stringify(answer)).not.toBe(true);
    await client.close();

    await page.getByRole("link", { name: "Notebook" }).click();
    await page.getByRole("heading", { level: 1, name: "Notebook" }).waitFor();
    const requests = page.getByRole("group", { name: "Recent requests" }).getByRole("row");
    // They are written down a moment after they were answered.
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return requests.count();
      })
      .toBe(4);
    const rowTexts = (await requests.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, " "));
    expect(rowTexts).toEqual([
      expect.stringMatching(/MCP 200/),
      expect.stringMatching(/REST 404/),
      expect.stringMatching(/REST 200/),
    ]);

    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Work laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Save name" }).click();
    await page.getByRole("heading", { level: 1, name: "Work laptop" }).waitFor();

    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("No keys yet").waitFor();
    expect(await statusOf("/usage")).toBe(401);
    await expect(connectMcp(service.url, "modern", key)).rejects.toThrow(/401|unauthorized/i);
  });

  test("are created read-only with an expiry, which is announced, and removed", async () => {
    const { service } = visits;
    const { page, go, person } = await visits.openAs("limits@example.com", "/app/settings/keys");
    const make = (name: string, days: number) =>
      service.store.keys.create({
        accountId: person.accountId,
        name,
        hash: createApiKey().hash,
        lastFour: "x7Qa",
        now: new Date(Date.now() - 30 * day),
        expiresAt: new Date(Date.now() + days * day),
      });
    await make("Workshop", 3);
    await make("Old demo", -2);
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Research agent");
    await dialog.getByText("Read-only").click();
    await dialog.getByText("It can’t transcribe, change or delete anything.").waitFor();
    await dialog.getByLabel("Expires").selectOption("On a date…");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Choose today or a later day.").waitFor();
    const inTwoDays = new Date(Date.now() + 2 * day).toISOString().slice(0, 10);
    await dialog.getByLabel("Last day").fill(inTwoDays);
    await lookAt(page, "key-dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Copy your key now").waitFor();
    const key = await dialog.getByRole("group", { name: "Research agent" }).locator("code").innerText();
    await dialog.getByLabel("I have copied it").check();
    await dialog.getByRole("button", { name: "Done" }).click();

    const { body } = await rest(service.url, "/me", { key });
    expect(body.key).toMatchObject({ readOnly: true, expiresAt: `${inTwoDays}T23:59:59.999Z` });
    const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
    await expect.poll(() => row("Research agent").innerText()).toMatch(/Read-only\s+Expires /);
    await expect.poll(() => row("Old demo").innerText()).toMatch(/Expired[^]*Expired /);
    await page.getByText("Key “Workshop” expires on").waitFor();
    await expect
      .poll(() => page.getByText("Key “Research agent” expires on").count(), { message: "it was just made so" })
      .toBe(0);
    await page.getByText("2 of 5").waitFor();
    await lookAt(page, "keys-with-ends");
    await row("Research agent").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Research agent" }).waitFor();
    await page.getByText("Read-only").waitFor();
    await go("/app/transcribe");
    await page.getByText("Key “Workshop” expires on").waitFor();

    await go("/app/settings/keys");
    await row("Old demo").getByRole("link").click();
    await page.getByRole("button", { name: "Remove", exact: true }).waitFor();
    for (const name of ["Fourth", "Fifth"]) await person.api("createKey", { name });
    await page.goto(`${service.url}/app/settings/keys`);
    await page.getByText("4 of 5").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await dialog.getByText("“Old demo” has expired. It will be removed").waitFor();
    await lookAt(page, "key-replaced");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await row("Old demo").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove key" }).click();
    await row("Old demo").waitFor({ state: "detached" });
  });

  test("are five at most, and nobody else's", async () => {
    const owner = await visits.openAs("five@example.com");
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three", "Four", "Five"])
      ids.push((await owner.person.api("createKey", { name })).body.key.id);
    await owner.page.goto(`${visits.service.url}/app/settings/keys`);
    await owner.page.getByText("You’ve reached the limit of 5 keys. Revoke one first.").waitFor();
    await expect.poll(() => owner.page.getByRole("button", { name: "New key" }).isDisabled()).toBe(true);

    const stranger = await visits.openAs("stranger@example.com");
    stranger.expectRefusals(404);
    await stranger.page.goto(`${visits.service.url}/app/settings/keys/${ids[0]}`);
    await stranger.page.getByText("You don’t have this key").waitFor();
    await stranger.page.goto(`${visits.service.url}/app/settings/keys`);
    await stranger.page.getByText("No keys yet").waitFor();
  });
});
