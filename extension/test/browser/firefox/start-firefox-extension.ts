import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { expect, vi } from "vitest";
import { startPlatformRoad } from "../../../../scripts/processes/start-platform-road.ts";
import type { Speech } from "../../../../server/src/ports.ts";
import { giveSession, type SignedIn } from "../../../../server/test/harness/sign-in.ts";
import { temporaryPlace } from "../../../../server/test/harness/temporary-place.ts";
import { patience } from "../../../../web/test/browser/chromium-program.ts";
import { startExtensionService, type ExtensionService } from "../start-extension-service.ts";
import { startFirefox, type Firefox } from "./start-firefox.ts";

const unpacked = path.resolve(import.meta.dirname, "../../../.output/firefox-mv3");
const platform = "https://www.instagram.com";

/** Something that the extension draws on a page. */
interface DrawnInFirefox {
  readonly x: number;
  readonly y: number;
  readonly label: string | null;
  readonly isPressed: boolean;
}

/** The panel on a page. Each call looks for the frame again, because navigating replaces it. */
interface FirefoxPanel {
  /** Everything that a person sees in it. */
  text(): Promise<string>;
  /** Waits until a person sees this in it. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Presses a button or link once there is one of this name. */
  press(name: string): Promise<void>;
  evaluate<Result>(run: () => Result): Promise<Result>;
}

export interface FirefoxTrial extends ExtensionService {
  readonly firefox: Firefox;
  readonly panel: FirefoxPanel;
  /** Somebody who is signed in to the dashboard in this browser connects as people do. */
  connectByHand(email: string): Promise<SignedIn>;
  /** Opens a page of the platform, where the person has an account. */
  visit(address: string): Promise<void>;
  openPanel(): Promise<void>;
  /** A part that the extension drew on the page: `launcher`, `tile` or `mark`. */
  drawn(className: string): Promise<readonly DrawnInFirefox[]>;
  /** The addresses of the browser's tabs. */
  openTabs(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The build that ships in Firefox, the service, and the stand-in under the names of the platform. */
export async function startFirefoxExtension(speech: Partial<Speech>): Promise<FirefoxTrial> {
  const folder = await mkdtemp(path.join(temporaryPlace, "reelscript-road-"));
  const { service, gate } = await startExtensionService(speech);
  const road = await startPlatformRoad(service.standin, folder, { isRewriting: true });
  const firefox = await startFirefox({ secureProxy: new URL(road.proxy).host, unpacked });
  const panel = createPanel(firefox);
  const drawn = async (className: string) => firefox.evaluate(drawnOnPage, className);

  await firefox.visit(`${platform}/`);
  await firefox.addCookie({ name: "sessionid", value: "1" });

  return {
    service,
    gate,
    firefox,
    panel,
    drawn,
    async connectByHand(email) {
      const person = await giveSession(service, { email });
      await firefox.visit(service.url);
      for (const pair of person.cookie.split("; ")) {
        const [name = "", value = ""] = pair.split("=");
        await firefox.addCookie({ name, value });
      }
      const host = await firefox.evaluateInBrowser(extensionHost);
      await firefox.visit(`moz-extension://${host}/connect.html`);
      await firefox.type(await elementOf(firefox, fieldIn), service.url);
      await pressNamed(firefox, "Connect");
      // Nothing else could answer the browser's own question.
      await vi.waitFor(async () => expect(await firefox.evaluateInBrowser(allowPermissions)).toBe(true), waiting);
      await pressNamed(firefox, "Allow");
      const connected = `Connected to ${new URL(service.url).host}`;
      // A document that goes away meanwhile gives no text.
      await vi.waitFor(async () => expect(await firefox.evaluate(visibleText)).toContain(connected), waiting);
      return person;
    },
    openTabs: async () => firefox.evaluateInBrowser(addressesOfTabs),
    visit: async (address) => firefox.visit(platform + address),
    async openPanel() {
      await expect.poll(async () => (await drawn("launcher")).length).toBe(1);
      const [launcher] = await drawn("launcher");
      await firefox.pressAt(launcher!);
      await expect.poll(async () => panel.text()).toContain("Reelscript");
    },
    async close() {
      await firefox.close();
      await road.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createPanel(firefox: Firefox): FirefoxPanel {
  const within = async <Result>(act: () => Promise<Result>): Promise<Result> =>
    firefox.within(await elementOf(firefox, panelFrame), act);
  const text = async (): Promise<string> => within(async () => firefox.evaluate(visibleText));
  return {
    text,
    async waitFor(words) {
      const matching: unknown =
        typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
      await expect.poll(text).toEqual(matching);
    },
    press: async (name) => within(async () => pressNamed(firefox, name)),
    evaluate: async (run) => within(async () => firefox.evaluate(run)),
  };
}

/** How long a page may take to show something, on machines that are busy with much else. Connecting is before the tests. */
const waiting = { timeout: patience, interval: 50 };

async function pressNamed(firefox: Firefox, name: string): Promise<void> {
  await firefox.press(await elementOf(firefox, controlNamed, name));
}

async function elementOf<Given extends readonly unknown[]>(
  firefox: Firefox,
  run: (...given: Given) => Element | undefined,
  ...given: Given
) {
  return vi.waitFor(
    async () => (await firefox.find(run, ...given)) ?? expect.fail(`there is nothing for ${run.name}(${given.join()})`),
    waiting,
  );
}

// These functions run in documents, and can't refer to anything here.

/** Chrome scripts see into closed shadow roots. */
interface SeenThrough extends Element {
  readonly openOrClosedShadowRoot: ShadowRoot | null;
}

/** A document that is loading has no body yet. */
const visibleText = (): string => document.querySelector("body")?.innerText ?? "";

const fieldIn = (): Element | undefined => document.querySelector("input") ?? undefined;

const controlNamed = (name: string): Element | undefined =>
  [...document.querySelectorAll<HTMLElement>("button:enabled, a")].find(
    (control) =>
      (control.getAttribute("aria-label") ?? control.innerText).trim() === name && control.getClientRects().length > 0,
  );

const panelFrame = (): Element | undefined =>
  [...document.documentElement.children]
    .map((child) => (child as SeenThrough).openOrClosedShadowRoot?.querySelector("iframe"))
    .find((frame) => frame instanceof Element);

const drawnOnPage = (className: string): DrawnInFirefox[] =>
  [...document.documentElement.children]
    .flatMap((child) => [...((child as SeenThrough).openOrClosedShadowRoot?.querySelectorAll(`.${className}`) ?? [])])
    .filter((drawn) => drawn.getClientRects().length > 0)
    .map((drawn) => {
      const { left, top, width, height } = drawn.getBoundingClientRect();
      return {
        x: left + width / 2,
        y: top + height / 2,
        label: drawn.getAttribute("aria-label"),
        isPressed: drawn.getAttribute("aria-pressed") === "true",
      };
    });

interface BrowserWindow {
  readonly WebExtensionPolicy: { getByID(id: string): { readonly mozExtensionHostname: string } | null };
  readonly PopupNotifications: { readonly panel: Element };
  readonly gBrowser: { readonly browsers: readonly { readonly currentURI: { readonly spec: string } }[] };
}

const addressesOfTabs = (): string[] =>
  [...(globalThis as unknown as BrowserWindow).gBrowser.browsers].map(({ currentURI }) => currentURI.spec);

const extensionHost = (): string | undefined =>
  (globalThis as unknown as BrowserWindow).WebExtensionPolicy.getByID("extension@reelscript.app")?.mozExtensionHostname;

/** Presses "Allow" in the question that Firefox shows above the page; false while there is none. */
const allowPermissions = (): boolean => {
  const { panel } = (globalThis as unknown as BrowserWindow).PopupNotifications;
  const question = panel.querySelector<HTMLElement & { readonly button: HTMLElement }>("popupnotification");
  if (question === null) return false;
  question.button.click();
  return true;
};
