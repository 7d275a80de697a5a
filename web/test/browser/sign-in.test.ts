import { expect, test } from "vitest";
import { giveSession } from "../../../server/test/harness/sign-in.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { addScript } from "./fill-account.ts";
import { signInByHand, visitsOfTests } from "./start-visits.ts";

describeInBrowser("signing in and out in a browser", () => {
  const visits = visitsOfTests();

  test("leads to the wanted page, and signs out leaving nothing behind", async () => {
    const email = "first.cook@example.com";
    const { accountId } = await giveSession(visits.service, { email });
    await addScript(visits.service, accountId, { text: "The first words of all.", handle: "first.cook" });
    const { page, context, expectRefusals } = await visits.open("/app/library?query=first");
    await signInByHand(page, email);
    await expect.poll(() => new URL(page.url()).search).toBe("?query=first");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await page.getByRole("link", { name: "The first words of all." }).waitFor();

    await page.getByRole("button", { name: /first.cook/i }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();
    // 401 means that nobody is signed in.
    expect((await context.request.get(`${visits.service.url}/app/api/session`)).status()).toBe(401);
    // The way back shows the page that the browser kept, whose calls are refused.
    expectRefusals(401);
    await page.goBack();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();
    expect(await page.getByText("The first words").count()).toBe(0);
  });

  test("sends visitors to the sign-in page, and back to our site only", async () => {
    const { page } = await visits.open("/app/library?query=hook");
    const wayBack = async (): Promise<string | null> => {
      const target = await page.getByRole("link", { name: "Continue with your account" }).getAttribute("href");
      const leads = new URL(target ?? "", visits.service.url);
      expect(leads.pathname).toBe("/auth/login");
      return leads.searchParams.get("return_to");
    };
    await page.waitForURL(/\/app\/sign-in/);
    expect(await wayBack()).toBe("/app/library?query=hook");
    await expect.poll(() => page.title()).toBe("Sign in · Reelscript");
    await page.goto(`${visits.service.url}/app/sign-in?return_to=https%3A%2F%2Fevil.example%2F`);
    expect(await wayBack()).toBe("/app");
    const toTranscribe = "/app/transcribe?urls=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F";
    await page.goto(`${visits.service.url}/app/sign-in?${new URLSearchParams({ return_to: toTranscribe })}`);
    await page.getByText("We’ve kept your reel link.").waitFor();
    expect(await wayBack()).toBe(toTranscribe);
  });

  test.each([
    ["expired", "Signing in took longer than ten minutes. Try again."],
    ["refused", "The sign-in was canceled or refused. Nothing was changed."],
    ["provider", /^[^<]+\.$/],
    ["<b>other</b>", /^[^<]+\.$/],
  ])("says what became of a sign-in: %s", async (code, says) => {
    const { page } = await visits.open(`/app/sign-in?error=${encodeURIComponent(code)}`);
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(says);
  });

  test("says nothing is at unknown addresses, in the system's color scheme", async () => {
    const { page } = await visits.openAs("lost@example.com", "/app/no/such/page", { dark: true });
    await page.getByRole("navigation", { name: "Main" }).first().waitFor();
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Page not found · Reelscript");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  });
});
