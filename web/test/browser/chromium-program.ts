import { existsSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";
import { describe, expect } from "vitest";

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const { CHROMIUM } = process.env;

/** The program in `CHROMIUM`, or else at the usual paths; an empty `CHROMIUM` means none. */
export const chromiumProgram =
  CHROMIUM === undefined ? usualPaths.find((usual) => existsSync(usual)) : CHROMIUM || undefined;

/** Put behind the name of a group of tests, so that nobody takes skipped for passed. */
export const unlessSkipped =
  chromiumProgram === undefined
    ? " (skipped: no Chromium. Install one, on Debian with `apt install chromium`, or name one in CHROMIUM)"
    : "";

/** A group of tests that need Chromium. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(chromiumProgram === undefined)(`${name}${unlessSkipped}`, () => {
    tests();
  });
}

/** How long a page may take to show something, on machines that are busy with much else. */
export const patience = 90_000;

/** Headless Chromium without windows and extensions, which takes less of a core; it has its own package. */
const headlessShell = path.join(path.dirname(chromiumProgram ?? ""), "chromium-headless-shell");

let opened: Promise<Browser> | undefined;

/** One Chromium for all tests of a process, with which it ends. Close what you open in it. */
export async function openChromium(): Promise<Browser> {
  opened ??= chromium.launch({
    executablePath: existsSync(headlessShell) ? headlessShell : (chromiumProgram ?? expect.fail("no Chromium")),
    // Pages of one service share what the first has read of it.
    args: ["--no-sandbox", "--disable-gpu", "--process-per-site"],
    timeout: patience,
  });
  const browser = await opened;
  if (browser.isConnected()) return browser;
  opened = undefined;
  return openChromium();
}

/** A window of its own in it, in which things may take their time, and nothing moves for show unless a test wants it. Close it. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await openChromium()).newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  return context;
}

/** The cookies of somebody's session at a service, as a context takes them. */
export const cookiesOf = ({ cookie }: { readonly cookie: string }, url: string) =>
  cookie.split("; ").map((pair) => {
    const [name = "", value = ""] = pair.split("=");
    return { name, value, url, httpOnly: true, sameSite: "Lax" as const };
  });
