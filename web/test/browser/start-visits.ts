import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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
  close(): Promise<void>;
}

/** How long a page may take to show something, on machines that are busy with much else. */
export const patience = 45_000;

const watchPolicy = `addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
  console.error("Forbidden by the policy:", effectiveDirective, blockedURI, sourceFile));`;

/** One service and one Chromium for a file of tests. */
export async function startVisits(options: TestServiceOptions = { transcriber: null }): Promise<Visits> {
  const [service, browser] = await Promise.all([
    startTestService(options),
    chromium.launch({ executablePath: chromiumProgram ?? expect.fail("no Chromium"), args: ["--no-sandbox"] }),
  ]);
  const windows: { readonly context: BrowserContext; readonly complaints: string[] }[] = [];

  async function openWindow({ width = 1440, dark = false }: View) {
    const context = await browser.newContext({
      viewport: { width, height: width < 600 ? 844 : 900 },
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
    windows.push({ context, complaints });
    const visitor: Visitor = {
      page: await context.newPage(),
      context,
      expectRefusals: (...statuses) => statuses.forEach((status) => refusals.add(status)),
    };
    return visitor;
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
    async leave() {
      const all = windows.splice(0);
      // What a page is still asking for would end as an error of ours.
      for (const { context } of all) await context.close();
      expect(all.flatMap(({ complaints }) => complaints)).toEqual([]);
      expect(service.faults).toEqual([]);
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

let folder: string | undefined;

/** Where pictures are kept: the folder that SCREENSHOTS names, or a new temporary one, which is told. */
export function screenshotFolder(): string {
  const { SCREENSHOTS } = process.env;
  if (folder !== undefined) return folder;
  folder = SCREENSHOTS ? path.resolve(SCREENSHOTS) : mkdtempSync(path.join(tmpdir(), "reelscript-pages-"));
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  console.info(`Pictures of all pages: ${folder}`);
  return folder;
}
