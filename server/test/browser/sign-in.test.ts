import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { describeInBrowser, openContext } from "../../../web/test/browser/chromium-program.ts";

describeInBrowser("signing in with a browser", () => {
  const service = serviceOfTests({ transcriber: null });
  let context: BrowserContext;
  let page: Page;
  beforeEach(async () => {
    context = await openContext();
    page = await context.newPage();
  });
  afterEach(() => context.close());

  async function signIn(email: string): Promise<void> {
    await page.goto(`${service.url}/auth/login?return_to=/app/usage`);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${service.url}/app/usage`);
    // The dashboard leads to its own sign-in when it learns that the session ended; this page stays where it is.
    await page.goto(`${service.url}/healthz`);
  }
  /** Asked from a page of our own, as the dashboard does. */
  const session = (): Promise<{ status: number; email?: string }> =>
    page.evaluate(async () => {
      const response = await fetch("/app/api/session");
      const body = (await response.json()) as { account?: { email: string } };
      return { status: response.status, ...(body.account && { email: body.account.email }) };
    });

  test("leads to the page that was asked for, and out again", async () => {
    await signIn("browser@example.com");
    expect(await session()).toEqual({ status: 200, email: "browser@example.com" });
    expect(await page.evaluate(() => document.cookie), "no script reads the session").toBe("");
    const location = await page.evaluate(async () => {
      const response = await fetch("/auth/logout", { method: "POST", headers: { accept: "application/json" } });
      return ((await response.json()) as { location: string }).location;
    });
    expect(location).toBe(`${service.url}/app/sign-in`);
    expect(await session()).toEqual({ status: 401 });
    expect((await context.cookies()).filter(({ name }) => name.startsWith("reelscript_session"))).toEqual([]);

    await signIn("another@example.com");
    expect(await session()).toEqual({ status: 200, email: "another@example.com" });
  });

  test("gives other sites nothing", async () => {
    await signIn("target@example.com");
    const site = await startSite(`<!doctype html><title>Evil</title>
      <form id="out" method="post" action="${service.url}/auth/logout"><button>Win</button></form>
      <form id="end" method="post" action="${service.url}/app/api/sessions"></form>`);
    // Another port of another name of this machine is another site.
    const evil = `http://localhost:${(site.address() as AddressInfo).port}/`;
    await page.goto(evil);
    await page.getByRole("button", { name: "Win" }).click();
    await page.waitForURL(`${service.url}/auth/logout`);
    await expect.poll(() => page.textContent("h1")).toBe("This was refused");

    await page.goto(evil);
    const outcome = await page.evaluate(async (url) => {
      const end = (options: RequestInit) =>
        fetch(`${url}/app/api/sessions`, { credentials: "include", ...options }).then(
          (response) => response.type,
          () => "failed",
        );
      return [await end({ method: "DELETE" }), await end({}), await end({ mode: "no-cors" })];
    }, service.url);
    expect(outcome, "neither done nor read").toEqual(["failed", "failed", "opaque"]);

    await page.goto(`${service.url}/healthz`);
    expect(await session()).toEqual({ status: 200, email: "target@example.com" });
    site.close();
  });
});

async function startSite(html: string): Promise<Server> {
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(html));
  server.listen(0, "localhost");
  await once(server, "listening");
  return server;
}
