import { expect, test } from "vitest";
import type { Mail, Mailer } from "../../../server/src/ports.ts";
import { invite } from "../../../server/src/sign-in/password/invite.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

const password = "correct horse battery";

describeInBrowser("signing in by password in a browser", () => {
  const visits = visitsOfTests({ transcriber: null, signIn: { kind: "password" } });

  const linkFor = async (email: string): Promise<string> => {
    const { store, clock, url } = visits.service;
    const invited = { email, plan: "free", by: "ada", reason: "test" } as const;
    const { link } = await invite({ passwords: store.passwords, clock, site: url }, invited);
    return link.replace(url, "");
  };

  test("begins with an invitation, and continues on the sign-in page and the wanted page", async () => {
    const email = "cook@example.com";
    const link = await linkFor(email);
    const { page, expectRefusals } = await visits.open(link);
    await page.getByRole("heading", { level: 1, name: "Set your password" }).waitFor();
    await page.getByText(`You sign in as ${email}.`).waitFor();
    expectRefusals(400);
    await page.getByLabel("New password").fill("too short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("alert").getByText("at least 12 characters").waitFor();
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    await page.getByRole("button", { name: new RegExp(email, "i") }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Password").waitFor();
    await page.goto(`${visits.service.url}/app/settings/account`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the right one");
    expectRefusals(401);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The email address or the password is wrong.").waitFor();
    expect(await page.getByLabel("Email").inputValue(), "what was typed stays").toBe(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();

    await page.getByRole("button", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").fill("wrong wrong wrong");
    await dialog.getByLabel("New password").fill("another long password");
    await dialog.getByRole("button", { name: "Change password" }).click();
    await dialog.getByText("Your current password is wrong.").waitFor();
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();
    await dialog.waitFor({ state: "detached" });

    await page.goto(`${visits.service.url}/app/usage`);
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.getByRole("heading", { level: 3, name: "Creator" }).waitFor();
    expect(await page.getByRole("button", { name: /Upgrade to/ }).count()).toBe(0);
  });

  test("says when an invitation was used", async () => {
    const link = await linkFor("twice@example.com");
    const first = await visits.open(link);
    await first.page.getByLabel("New password").fill(password);
    await first.page.getByRole("button", { name: "Set password" }).click();
    await first.page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    const second = await visits.open();
    second.expectRefusals(404);
    await second.page.goto(visits.service.url + link);
    await second.page.getByRole("alert").getByText("Ask your operator for a new one.").waitFor();
    expect(await second.page.getByLabel("New password").count()).toBe(0);
  });

  test("asks for the password where a sign-in had begun elsewhere", async () => {
    const { page } = await visits.open("/auth/login?return_to=%2Fapp%2Fguides");
    await page.waitForURL(/\/app\/sign-in\?state=/);
    await page.getByLabel("Password").waitFor();
    expect(await page.getByRole("link", { name: "Continue with your account" }).count()).toBe(0);
  });
});

describeInBrowser("a forgotten password, where there is a mail server", () => {
  const mails: Mail[] = [];
  const mailer: Mailer = { send: async (mail) => void mails.push(mail), verify: async () => undefined };
  const visits = visitsOfTests({ transcriber: null, signIn: { kind: "password" }, mailer });

  test("is replaced with a link that the sign-in page mails", async () => {
    const { store, clock, url } = visits.service;
    const email = "forgetful@example.com";
    const needs = { passwords: store.passwords, clock, site: url };
    const { link } = await invite(needs, { email, plan: "free", by: "ada", reason: "test" });
    const { page } = await visits.open(link.replace(url, ""));
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    const other = await visits.open("/app/sign-in", { width: 390 });
    await other.page.getByLabel("Email").fill(email);
    await other.page.getByRole("button", { name: "Forgot your password?" }).click();
    expect(await other.page.getByLabel("Email").inputValue(), "what was typed stays").toBe(email);
    await other.page.getByRole("button", { name: "Send me a link" }).click();
    await other.page.getByText("a link for a new password is on its way").waitFor();
    await shoot(other.page, "forgotten-password");
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([email]);
    await other.page.goto(/http\S+/.exec(mails[0]!.text)![0]);
    await other.page.getByLabel("New password").fill("another long password");
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await other.page.goto(`${url}/app/sign-in`);
    await other.page.getByRole("button", { name: "Forgot your password?" }).click();
    await other.page.getByRole("button", { name: "Back to sign in" }).click();
    await other.page.getByLabel("Password").waitFor();
  });
});
