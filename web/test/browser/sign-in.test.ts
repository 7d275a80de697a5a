import { expect, test } from "vitest";
import { firstKey } from "../../../server/src/start/first-key.ts";
import { rest } from "../../../server/test/harness/rest.ts";
import { addScript } from "./fill-account.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { signInByHand, type Visitor, visitsOfTests } from "./start-visits.ts";

const tooLate = "Signing in took longer than ten minutes. Try again.";
const refused = "The sign-in was canceled or refused. Nothing was changed.";

describeInBrowser("signing in and out in a browser", () => {
  const visits = visitsOfTests();

  /** The way back from the provider, which the window has not gone yet. */
  async function heldCallback({ page, context }: Visitor, email: string): Promise<string> {
    await page.goto(`${visits.service.url}/auth/login`);
    let address = page.url();
    const say = { form: { email }, headers: { origin: visits.service.url }, maxRedirects: 0 };
    let answer = await context.request.post(address, say);
    for (;;) {
      address = new URL(answer.headers()["location"] ?? expect.fail(`no way on from ${address}`), address).href;
      if (new URL(address).pathname === "/auth/callback") return address;
      answer = await context.request.get(address, { maxRedirects: 0 });
    }
  }

  const expectSignInPage = async ({ page }: Visitor, says: string): Promise<void> => {
    await page.getByRole("heading", { level: 1, name: "Read what reels say" }).waitFor();
    await expect.poll(() => page.getByRole("alert").innerText()).toBe(says);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/app/sign-in");
  };

  /** 401 means that nobody is signed in. */
  const sessionStatus = async ({ context }: Visitor): Promise<number> =>
    (await context.request.get(`${visits.service.url}/app/api/session`)).status();

  test("shows the development person the library of the key that came first, until they sign out", async () => {
    const { service } = visits;
    const key = await firstKey(service, "development");
    const [first] = await service.store.accounts.list();
    await addScript(service, first!.id, { text: "The first words of the first key.", handle: "first.cook" });
    expect((await rest(service.url, "/scripts", { key: key! })).body.total).toBe(1);

    const visitor = await visits.open("/app/library?query=first");
    const { page } = visitor;
    visitor.expectRefusals(401);
    await signInByHand(page);
    await expect.poll(() => new URL(page.url()).search, { message: "and is where it was wanted" }).toBe("?query=first");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await page.getByRole("link", { name: "The first words of the first key." }).waitFor();

    await page.getByRole("button", { name: /developer/i }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();
    expect(await sessionStatus(visitor)).toBe(401);
    // What was seen before is not shown again to whoever sits here next.
    await page.goBack();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();
    expect(await page.getByText("The first words").count()).toBe(0);
  });

  test("takes who is not signed in to the sign-in page, and knows the way back, but none to another site", async () => {
    const visitor = await visits.open("/app/library?query=hook");
    visitor.expectRefusals(401);
    const { page } = visitor;
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
  });

  test.each(["expired", "provider", "refused", "<b>other</b>"])("says what became of a sign-in: %s", async (code) => {
    const { page } = await visits.open(`/app/sign-in?error=${encodeURIComponent(code)}`);
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/^[^<]+\.$/);
  });

  test("says at an address without a page that nothing is there, in the dark where the system is", async () => {
    const { page } = await visits.open("/app/no/such/page", { dark: true });
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Page not found · Reelscript");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  });

  test("leads forged ways back to the sign-in page", async () => {
    const visitor = await visits.open("/app/sign-in");
    const { page } = visitor;
    visitor.expectRefusals(401);
    for (const forged of [
      "",
      "?code=made-up&state=made-up",
      `?code=x&state=${"A".repeat(43)}&iss=https://evil.example`,
    ]) {
      await page.goto(`${visits.service.url}/auth/callback${forged}`);
      await expectSignInPage(visitor, tooLate);
    }
    const callback = new URL(await heldCallback(visitor, "victim@example.com"));
    callback.searchParams.set("code", "made-up");
    await page.goto(callback.href);
    await expectSignInPage(visitor, refused);
    expect(await sessionStatus(visitor)).toBe(401);
  });

  test("takes a way back once, and in the window alone that set out for it", async () => {
    const [visitor, thief] = [await visits.open("/app/sign-in"), await visits.open("/app/sign-in")];
    for (const each of [visitor, thief]) each.expectRefusals(401);
    const callback = await heldCallback(visitor, "careful@example.com");
    await thief.page.goto(callback);
    await expectSignInPage(thief, tooLate);
    expect(await sessionStatus(thief)).toBe(401);

    await visitor.page.goto(callback);
    await visitor.page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await visitor.page.getByRole("button", { name: /Careful/ }).click();
    await visitor.page.getByRole("button", { name: "Sign out" }).click();
    await visitor.page.getByRole("link", { name: "Continue with your account" }).waitFor();
    await visitor.page.goto(callback);
    await expectSignInPage(visitor, tooLate);
    expect(await sessionStatus(visitor)).toBe(401);
  });
});
