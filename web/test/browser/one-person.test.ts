import { expect, test } from "vitest";
import { describeInBrowser } from "./chromium-program.ts";
import { type Visits, visitsOfTests } from "./start-visits.ts";
import { identityProviderOfTests } from "../../../server/test/harness/start-identity-provider.ts";

describeInBrowser("one person at a time in a browser", () => {
  const provider = identityProviderOfTests(() => visits.service.url);
  const visits: Visits = visitsOfTests(() => ({ transcriber: null, signIn: provider.signIn }));

  test("signing out ends every window's and the provider's session, leaving no data", async () => {
    const { page, context, expectRefusals } = await visits.open();
    expectRefusals(401);
    // The provider's own page wants a typeface and an icon from the world.
    await context.route(
      ({ origin }) => origin !== visits.service.url,
      (route) => (route.request().isNavigationRequest() ? route.continue() : route.fulfill({ body: "" })),
    );
    const signIn = "/auth/login?return_to=/app/settings/account";
    provider.person = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
    await page.goto(visits.service.url + signIn);
    await page.getByRole("definition").filter({ hasText: "ada@example.com" }).waitFor();
    const other = await context.newPage();
    await other.goto(`${visits.service.url}/app/settings/account`);
    await other.getByRole("definition").filter({ hasText: "ada@example.com" }).waitFor();

    await page.getByRole("button", { name: "Ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL((url) => url.origin === provider.issuer);
    await other.getByRole("link", { name: "Continue with your account" }).waitFor();

    await page.getByRole("button").first().click();
    await page.getByRole("link", { name: "Continue with your account" }).waitFor();
    await other.goto(`${visits.service.url}/app/sign-in`);

    provider.person = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" };
    await page.goto(visits.service.url + signIn);
    await page.getByRole("definition").filter({ hasText: "bob@example.com" }).waitFor();
    expect(await page.getByRole("definition").filter({ hasText: "ada@example.com" }).count()).toBe(0);
  });

  test("a window with another person's data reloads when somebody signs in", async () => {
    const { page, context } = await visits.open();
    const signIn = `${visits.service.url}/auth/login?return_to=/app/settings/account`;
    provider.person = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
    await page.goto(signIn);
    await page.getByRole("definition").filter({ hasText: "ada@example.com" }).waitFor();

    await context.clearCookies();
    provider.person = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" };
    const other = await context.newPage();
    await other.goto(signIn);
    await other.getByRole("definition").filter({ hasText: "bob@example.com" }).waitFor();
    await page.getByRole("definition").filter({ hasText: "bob@example.com" }).waitFor();
    expect(await page.getByText("ada@example.com").count()).toBe(0);
  });
});
