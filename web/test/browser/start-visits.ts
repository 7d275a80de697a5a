import { chromium, type BrowserContext, type Page } from "playwright-core";
import { expect } from "vitest";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from "../../../server/test/harness/start-test-service.ts";
import { chromiumProgram } from "./chromium-program.ts";

interface View {
  readonly width?: number;
  readonly dark?: boolean;
}

/** Somebody with a browser window of their own: cookies, storage and clipboard are nobody else's. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Says that the service will refuse something in this window: without it any refusal fails the test. */
  expectRefusals(...statuses: number[]): void;
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
  /** After each test: closes all windows and holds that nothing was complained of in any of them. */
  leave(): Promise<void>;
  /** Holds that nothing was complained of so far in any window, and from now on expects no refusals. */
  expectSilence(): void;
  close(): Promise<void>;
}

/** How long a page may take to show something, on machines that are busy with much else. */
export const patience = 45_000;

export const heightAt = (width: number): number => (width < 600 ? 844 : 900);

const watchPolicy = `addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
  console.error("Forbidden by the policy:", effectiveDirective, blockedURI, sourceFile));`;

/** One service and one Chromium for a file of tests. */
export async function startVisits(options: TestServiceOptions = { transcriber: null }): Promise<Visits> {
  const [service, browser] = await Promise.all([
    startTestService(options),
    chromium.launch({
      executablePath: chromiumProgram ?? expect.fail("no Chromium"),
      args: ["--no-sandbox", "--disable-gpu"],
    }),
  ]);
  const windows: { readonly context: BrowserContext; readonly complaints: string[]; readonly refusals: Set<number> }[] =
    [];

  async function openWindow({ width = 1440, dark = false }: View) {
    const context = await browser.newContext({
      viewport: { width, height: heightAt(width) },
      colorScheme: dark ? "dark" : "light",
      locale: "en-GB",
      timezoneId: "UTC",
      acceptDownloads: true,
    });
    context.setDefaultTimeout(patience);
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
    windows.push({ context, complaints, refusals });
    const visitor: Visitor = {
      page: await context.newPage(),
      context,
      expectRefusals: (...statuses) => statuses.forEach((status) => refusals.add(status)),
    };
    return visitor;
  }

  function hold(all: typeof windows): void {
    for (const { refusals } of all) refusals.clear();
    expect(all.flatMap(({ complaints }) => complaints.splice(0))).toEqual([]);
    expect(service.faults).toEqual([]);
  }

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
    async leave() {
      const all = windows.splice(0);
      // What a page is still asking for would end as an error of ours.
      for (const { context } of all) await context.close();
      hold(all);
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}
