import type { Page } from "playwright-core";

/** From the sign-in page of the dashboard through the page of the development provider. */
export async function signInByHand(page: Page, email?: string): Promise<void> {
  await page.getByRole("link", { name: "Continue with your account" }).click();
  const field = page.getByLabel("Email");
  if (email !== undefined) await field.fill(email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/app\/(?!sign-in)/);
}
