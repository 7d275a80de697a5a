import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import { serviceOfTests, type TestService } from "../../../server/test/harness/start-test-service.ts";
import { openContext } from "./chromium-program.ts";

interface View {
  readonly width?: number;
  readonly dark?: boolean;
}

/** Somebody with a browser window of their own: cookies, storage and clipboard are nobody else's. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Says that the service will refuse something in this window: without it any refusal fails the test. */
  readonly expectRefusals: (...statuses: number[]) => void;
}

export interface SignedInVisitor extends Visitor {
  /** The same person, calling operations as the dashboard does. */
  readonly person: SignedIn;
}

export interface Visits {
  readonly service: TestService;
  open(address?: string, view?: View): Promise<Visitor>;
  /** With a session already, for tests of what comes after signing in. */
  openAs(who: string | SignedIn, address?: string, view?: View): Promise<SignedInVisitor>;
  /** Holds that nothing was complained of so far in any window, and from now on expects no refusals. */
  expectSilence(): void;
}

interface Window {
  /** Its width and light, which stay what they are. */
  readonly kind: string;
  readonly context: BrowserContext;
  /** Keeps the process that has read the dashboard when all other pages are closed. */
  readonly anchor: Page;
  readonly complaints: string[];
  readonly refusals: Set<number>;
}

export const heightAt = (width: number): number => (width < 600 ? 844 : 900);

const watchPolicy = `addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
  console.error("Forbidden by the policy:", effectiveDirective, blockedURI, sourceFile));`;

/** One service for the tests around it, and windows of Chromium, which last for a test unless they are kept. */
export function visitsOfTests(
  options: Parameters<typeof serviceOfTests>[0] = { transcriber: null },
  { keepsWindows = false } = {},
): Visits {
  const service = serviceOfTests(options);
  const windows: Window[] = [];
  // A new window reads the dashboard again, which takes a second of computing; one that was cleared doesn't.
  const cleared: Window[] = [];

  async function openWindow({ width = 1440, dark = false }: View): Promise<Visitor> {
    const kind = `${width} ${dark}`;
    const place = cleared.findLastIndex((window) => window.kind === kind);
    const [found] = place === -1 ? [] : cleared.splice(place, 1);
    const window = found ?? (await newWindow(kind, width, dark));
    windows.push(window);
    const { context, refusals } = window;
    const page = await context.newPage();
    if (found !== undefined) await forget(page);
    return { page, context, expectRefusals: (...statuses) => statuses.forEach((status) => refusals.add(status)) };
  }

  async function newWindow(kind: string, width: number, dark: boolean): Promise<Window> {
    const context = await openContext({
      viewport: { width, height: heightAt(width) },
      colorScheme: dark ? "dark" : "light",
      locale: "en-GB",
      timezoneId: "UTC",
      acceptDownloads: true,
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
    await context.addInitScript(watchPolicy);
    const complaints: string[] = [];
    const refusals = new Set<number>();
    context.on("weberror", (error) => complaints.push(`${error.error().stack ?? error.error().message}`));
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      const status = /^Failed to load resource: .* status of (\d{3})/.exec(message.text())?.[1];
      if (status !== undefined && refusals.has(Number(status))) return;
      complaints.push(`${message.text()} (${message.location().url})`);
    });
    return { kind, context, complaints, refusals, anchor: await context.newPage() };
  }

  /** Leaves nothing in a window but what it has read of the dashboard. */
  async function forget(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin: service.url, storageTypes: "all" });
    await session.detach();
    await page.context().clearCookies();
  }

  async function clear(context: BrowserContext, anchor: Page): Promise<void> {
    await context.unrouteAll({ behavior: "ignoreErrors" });
    if (!anchor.url().startsWith(service.url)) await anchor.goto(`${service.url}/privacy`);
    for (const page of context.pages()) if (page !== anchor) await page.close();
  }

  function hold(all: typeof windows): void {
    for (const { refusals } of all) refusals.clear();
    expect(all.flatMap(({ complaints }) => complaints.splice(0))).toEqual([]);
    expect(service.faults).toEqual([]);
  }

  afterAll(async () => {
    for (const { context } of [...windows, ...cleared]) await context.close();
  });
  (keepsWindows ? afterAll : afterEach)(async () => {
    const all = windows.splice(0);
    // What a page is still asking for would end as an error of ours.
    for (const { context, anchor } of all) await clear(context, anchor);
    hold(all);
    cleared.push(...all);
  });
  return {
    service,
    async open(address, view = {}) {
      const visitor = await openWindow(view);
      if (address !== undefined) await visitor.page.goto(service.url + address);
      return visitor;
    },
    async openAs(who, address, view = {}) {
      const person = typeof who === "string" ? await signIn(service, { email: who }) : who;
      const visitor = await openWindow(view);
      await visitor.context.addCookies(
        person.cookie.split("; ").map((pair) => {
          const [name = "", value = ""] = pair.split("=");
          return { name, value, url: service.url, httpOnly: true, sameSite: "Lax" as const };
        }),
      );
      if (address !== undefined) await visitor.page.goto(service.url + address);
      return { ...visitor, person };
    },
    expectSilence: () => hold(windows),
  };
}

/** From the sign-in page of the dashboard through the page of the development provider. */
export async function signInByHand(page: Page, email?: string): Promise<void> {
  await page.getByRole("link", { name: "Continue with your account" }).click();
  const field = page.getByLabel("Email");
  if (email !== undefined) await field.fill(email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/app\/(?!sign-in)/);
}
