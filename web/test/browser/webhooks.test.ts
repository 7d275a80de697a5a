import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../../../server/test/harness/start-receiver.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("webhooks in a browser", () => {
  const visits = visitsOfTests();
  let receiver: Receiver;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver?.close());

  test("are added with a secret shown once, tested, and deleted", async () => {
    const { page, expectRefusals } = await visits.openAs(`hooks-${Date.now()}@example.com`, "/app/settings/webhooks");
    receiver.events.splice(0);
    receiver.answer = (response) => response.writeHead(204).end();
    await page.getByText("No endpoints yet").waitFor();
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("example.com/hook");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByText("Enter a full address that starts with https://.").waitFor();
    expectRefusals(400);
    await dialog.getByLabel("Address").fill("http://example.com/hook");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByText(/must be an https URL on the public internet/).waitFor();
    await dialog.getByLabel("Address").fill(`${receiver.url}/hook`);
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByText("Copy the signing secret now").waitFor();
    const secret = await dialog.locator("code").innerText();
    expect(secret).toMatch(/^whsec_/);
    await expect.poll(() => dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await dialog.getByLabel("I have copied it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    const endpoint = page.getByRole("listitem").filter({ hasText: `${receiver.url}/hook` });
    await endpoint.getByText("Nothing sent yet").waitFor();
    expect(await page.content(), "never again").not.toContain(secret);

    await endpoint.getByRole("button", { name: /Send test event/ }).click();
    await endpoint.getByText("Delivered (204)").waitFor();
    expect(receiver.events.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.test"]);
    receiver.answer = (response) => response.writeHead(500).end();
    await endpoint.getByRole("button", { name: /Send test event/ }).click();
    await endpoint.getByText("Your server answered 500. It must answer 2xx.").waitFor();

    receiver.answer = (response) => response.writeHead(204).end();
    await endpoint.getByRole("link", { name: /View log/ }).click();
    const log = page.getByRole("group", { name: "Recent events" }).getByRole("table");
    await log.getByText("500 Refused").waitFor();
    await log.getByText("204 Delivered").waitFor();
    const row = log.getByRole("row").filter({ hasText: "500 Refused" });
    const eventCount = receiver.events.length;
    await row.getByRole("button", { name: /Send again/ }).click();
    await expect.poll(() => receiver.events.length).toBe(eventCount + 1);
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return log.getByText("204 Delivered").count();
      })
      .toBe(2);
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByText("Copy the new secret now").waitFor();
    const rotated = await dialog.locator("code").innerText();
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secret);
    await dialog.getByLabel("I have copied it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(/Former secret signs until/).waitFor();
    await page.getByRole("link", { name: "Webhooks" }).first().click();

    await endpoint.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("No endpoints yet").waitFor();
  });
});
