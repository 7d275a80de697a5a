import { rmSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import {
  serviceOfTests,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from "../../../server/test/harness/start-test-service.ts";
import { cookiesOf, openContext } from "./chromium-program.ts";

interface View {
  readonly width?: number;
  readonly dark?: boolean;
}

/** Somebody with a browser window of their own: cookies, storage and clipboard are nobody else's. */
interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Leads to an address of the service, in a dashboard that is open as a link does: loading it takes a second of computing. */
  readonly go: (address: string) => Promise<void>;
  /** Says that the service will refuse something in this window: without it any refusal fails the test. */
  readonly expectRefusals: (...statuses: number[]) => void;
}

export interface SignedInVisitor extends Visitor {
  /** Calls operations as the same person, like the dashboard. */
  readonly person: SignedIn;
}

export interface Visits {
  readonly service: TestService;
  open(address?: string, view?: View): Promise<Visitor>;
  /** With a session already, for tests of what comes after signing in. */
  openAs(who: string | SignedIn, address?: string, view?: View): Promise<SignedInVisitor>;
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

/** The service that tests of this process share unless they want something special, and its windows. */
const shared = { service: undefined as TestService | undefined, cleared: [] as Window[] };

async function sharedService(): Promise<TestService> {
  if (shared.service !== undefined) return shared.service;
  const started = await startTestService({ transcriber: null });
  // The runner ends its processes by a signal, and soon after by another that none can hear.
  for (const end of ["exit", "SIGTERM"])
    process.once(end, () => rmSync(started.directory, { recursive: true, force: true }));
  return (shared.service = started);
}

/**
 * A service for the tests around it, and windows of Chromium, which last for a test. Without options the service is that of
 * others too: nobody may move its clock or expect to be alone in it.
 */
export function visitsOfTests(options?: TestServiceOptions | (() => TestServiceOptions)): Visits {
  const service = options === undefined ? ({} as TestService) : serviceOfTests(options); // safe: nobody has it before it is filled
  const windows: Window[] = [];
  // A new window reads the dashboard again, which takes a second of computing; one that was cleared doesn't.
  const cleared = options === undefined ? shared.cleared : [];

  if (options === undefined) beforeAll(async () => void Object.assign(service, await sharedService()));
  else
    afterAll(async () => {
      for (const { context } of cleared) await context.close();
    });
  afterEach(async () => {
    const all = windows.splice(0);
    // Requests that a page still has open would end as an error of ours.
    for (const { context, anchor } of all) await clear(context, anchor, service.url);
    for (const { refusals } of all) refusals.clear();
    cleared.push(...all);
    expect(all.flatMap(({ complaints }) => complaints.splice(0))).toEqual([]);
    expect(service.faults.splice(0)).toEqual([]);
  });

  async function openWindow({ width = 1440, dark = false }: View): Promise<Visitor> {
    const kind = `${width} ${dark}`;
    const index = cleared.findLastIndex((window) => window.kind === kind);
    const [freeWindow] = index === -1 ? [] : cleared.splice(index, 1);
    const window = freeWindow ?? (await newWindow(kind, width, dark, service.url));
    windows.push(window);
    const { context, refusals } = window;
    const page = await context.newPage();
    if (freeWindow !== undefined) await forget(page, service.url);
    return {
      page,
      context,
      async go(address) {
        const { origin, pathname } = new URL(page.url());
        const isOpen = origin === service.url && /^\/app\/(?!sign-in|connect)/.test(pathname);
        if (isOpen && address.startsWith("/app/")) await page.evaluate((to) => history.pushState({}, "", to), address);
        else await page.goto(service.url + address);
      },
      expectRefusals: (...statuses) => statuses.forEach((status) => refusals.add(status)),
    };
  }

  return {
    service,
    async open(address, view = {}) {
      const visitor = await openWindow(view);
      if (address !== undefined) await visitor.page.goto(service.url + address);
      return visitor;
    },
    async openAs(who, address, view = {}) {
      const person = typeof who === "string" ? await giveSession(service, { email: who }) : who;
      const visitor = await openWindow(view);
      await visitor.context.addCookies(cookiesOf(person, service.url));
      if (address !== undefined) await visitor.page.goto(service.url + address);
      return { ...visitor, person };
    },
  };
}

async function newWindow(kind: string, width: number, dark: boolean, origin: string): Promise<Window> {
  const context = await openContext({
    viewport: { width, height: heightAt(width) },
    colorScheme: dark ? "dark" : "light",
    locale: "en-GB",
    timezoneId: "UTC",
    acceptDownloads: true,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
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
async function forget(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
  await page.context().clearCookies();
}

async function clear(context: BrowserContext, anchor: Page, origin: string): Promise<void> {
  await context.unrouteAll({ behavior: "ignoreErrors" });
  if (!anchor.url().startsWith(origin)) await anchor.goto(`${origin}/privacy`);
  for (const page of context.pages()) if (page !== anchor) await page.close();
}

/** A moment that comes when the test says so. */
export function aMoment(): { readonly come: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const come = new Promise<void>((resolve) => (release = resolve));
  return { come, release: () => release() };
}

/** From the sign-in page of the dashboard through the page of the development provider. */
export async function signInByHand(page: Page, email?: string): Promise<void> {
  await page.getByRole("link", { name: "Continue with your account" }).click();
  const field = page.getByLabel("Email");
  if (email !== undefined) await field.fill(email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/app\/(?!sign-in)/);
}
