import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { chromium, type BrowserContext, type Frame, type Page, type Route, type Worker } from "playwright-core";
import { expect } from "vitest";
import type { Speech } from "../../../server/src/ports.ts";
import { connectExtension } from "../../../server/test/harness/connect-extension.ts";
import type { GatedTranscriber } from "../../../server/test/harness/gated-transcriber.ts";
import { giveSession, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import type { TestService } from "../../../server/test/harness/start-test-service.ts";
import { temporaryPlace } from "../../../server/test/harness/temporary-place.ts";
import { chromiumProgram, cookiesOf, patience } from "../../../web/test/browser/chromium-program.ts";
import { servePlatform } from "./serve-platform.ts";
import { startExtensionService } from "./start-extension-service.ts";

const unpacked = path.resolve(import.meta.dirname, "../../.output/chrome-mv3");

const { SCREENSHOTS } = process.env;

/** Takes a picture where pictures are asked for. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `extension-${name}.png`) });
}

/** The extension in a browser, beside a service and a platform of its own. */
export interface ExtensionTrial {
  readonly service: TestService;
  readonly context: BrowserContext;
  /** The id that Chromium gave the extension. */
  readonly id: string;
  readonly worker: Worker;
  /** Holds transcriptions back, where something is heard. */
  readonly gate: GatedTranscriber;
  /** Requests of the extension to the service, as `GET /app/api/usage`. */
  readonly requests: readonly string[];
  /** A new tab that asks for the address of the service, and has it. */
  openConnect(): Promise<Page>;
  /** Changes the connection that the extension has, or gives it one. */
  changeConnection(change: Readonly<Record<string, string>>): Promise<void>;
  /** Puts something into the storage of the extension. */
  keep(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Gives permission for more hosts. */
  allow(origins: readonly string[]): Promise<void>;
  /** Has somebody's account connected, as if they had approved before. */
  connectAs(email: string): Promise<SignedIn>;
  /** Somebody who is signed in to the dashboard in this browser connects as people do. */
  connectByHand(email: string): Promise<SignedIn>;
  /** Opens a page of the platform, in a new tab unless given one. */
  visit(address: string, page?: Page): Promise<Page>;
  /** Presses the button on the page, and gives the panel. */
  openPanel(page: Page): Promise<Frame>;
  /** Does something while the next answer from an address is on its way. */
  before(address: string, act: () => Promise<void>): Promise<void>;
  /** Selects all reels of a page, which has so many. */
  selectTiles(page: Page, count: number): Promise<void>;
  /** The extension's buttons on a page: `launcher` or `tile`. */
  drawn(page: Page, className: string): Promise<readonly Drawn[]>;
  /** Undoes what tests change in browser and stand-in. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** Undefined for a button that has no such state. */
  readonly isPressed: boolean | undefined;
}

/**
 * The build that ships in Chromium, the service, and the stand-in at the address of the platform, where the person has an
 * account. Every reel says what is heard; without it the recognizer listens.
 */
export async function startExtension(speech?: Partial<Speech>): Promise<ExtensionTrial> {
  const profile = await mkdtemp(path.join(temporaryPlace, "reelscript-extension-"));
  const [{ service, gate }, context] = await Promise.all([
    startExtensionService(speech),
    chromium.launchPersistentContext(profile, {
      executablePath: chromiumProgram ?? expect.fail("no Chromium"),
      timeout: patience,
      headless: true,
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      reducedMotion: "reduce",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        `--disable-extensions-except=${unpacked}`,
        `--load-extension=${unpacked}`,
      ],
    }),
  ]);
  context.setDefaultTimeout(patience);
  /** Requests of the extension to the service, as `GET /app/api/usage`. */
  const requests: string[] = [];
  context.on("request", (request) => {
    // The dashboard asks at the same door, with cookies.
    if (request.url().startsWith(`${service.url}/app/api/`) && request.headers()["authorization"] !== undefined)
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await servePlatform(context, service.standin);
  await context.addCookies([{ name: "sessionid", value: "1", url: "https://www.instagram.com" }]);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const [, , id = ""] = worker.url().split("/");
  await allow(context, id, ["https://www.instagram.com/*", "http://127.0.0.1/*"]);

  /** A new tab that asks for the address of the service, and has it. */
  async function openConnect(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`chrome-extension://${id}/connect.html`);
    await page.getByLabel("Address of your Reelscript").fill(service.url);
    return page;
  }

  /** Changes the connection that the extension has, or gives it one. */
  const changeConnection = (change: Readonly<Record<string, string>>): Promise<void> =>
    worker.evaluate(async (changed) => {
      const { local } = (globalThis as unknown as { chrome: Chrome }).chrome.storage;
      const { connection } = await local.get("connection");
      if (changed["token"] !== undefined) await Promise.all(["library", "sentReels"].map((name) => local.remove(name)));
      await local.set({ connection: { ...connection, ...changed } });
    }, change);

  /** Puts something into the storage of the extension. */
  const keep = (values: Readonly<Record<string, unknown>>): Promise<void> =>
    worker.evaluate((stored) => (globalThis as unknown as { chrome: Chrome }).chrome.storage.local.set(stored), values);

  return {
    service,
    context,
    id,
    worker,
    gate,
    requests,
    openConnect,
    changeConnection,
    keep,
    /** Gives permission for more hosts. */
    allow: (origins: readonly string[]) => allow(context, id, origins),
    /** Has somebody's account connected, as if they had approved before. */
    async connectAs(email: string): Promise<SignedIn> {
      const person = await giveSession(service, { email });
      const { token } = await connectExtension(service, person);
      await changeConnection({ baseUrl: service.url, token, name: email });
      return person;
    },
    /** Somebody who is signed in to the dashboard in this browser connects as people do. */
    async connectByHand(email: string): Promise<SignedIn> {
      const person = await giveSession(service, { email });
      await context.addCookies(cookiesOf(person, service.url));
      const page = await openConnect();
      await page.getByRole("button", { name: "Connect" }).click();
      await page.waitForURL(`${service.url}/**`, { waitUntil: "commit" });
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      await page.getByRole("heading", { name: "Connected" }).waitFor();
      await page.close();
      return person;
    },
    /** Opens a page of the platform. */
    async visit(address: string, page?: Page): Promise<Page> {
      const tab = page ?? (await context.newPage());
      await tab.goto(`https://www.instagram.com${address}`);
      return tab;
    },
    /** Presses the button on the page, and gives the panel. */
    async openPanel(page: Page): Promise<Frame> {
      await expect.poll(async () => (await drawn(page, "launcher")).length).toBe(1);
      const [launcher] = await drawn(page, "launcher");
      await page.mouse.click(launcher!.x, launcher!.y);
      const isPanel = (frame: Frame): boolean => frame.url().includes("/panel.html");
      await expect.poll(() => page.frames().some(isPanel)).toBe(true);
      return page.frames().find(isPanel)!;
    },
    /** Does something while the next answer from an address is on its way. */
    async before(address: string, act: () => Promise<void>): Promise<void> {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const hold = async (route: Route): Promise<void> => {
        await released;
        await route.fallback();
      };
      await context.route(address, hold, { times: 1 });
      await act().finally(release);
    },
    /** Selects all reels of a page, which has so many. */
    async selectTiles(page: Page, count: number): Promise<void> {
      await expect.poll(async () => (await drawn(page, "tile")).length).toBe(count);
      for (let index = 0; index < count; index += 1) {
        // Tiles are drawn again when the page changes, and a press on one that goes away is none.
        const isSelected = async (): Promise<boolean> => (await drawn(page, "tile"))[index]?.isPressed === true;
        const select = async (): Promise<boolean> => {
          const tile = (await drawn(page, "tile"))[index];
          if (tile?.isPressed === false) await page.mouse.click(tile.x, tile.y);
          return isSelected();
        };
        await expect.poll(select).toBe(true);
      }
    },
    drawn,
    /** Undoes what tests change in browser and stand-in. */
    async tidy(): Promise<void> {
      gate.open();
      service.standin.setWall(undefined);
      await context.setOffline(false);
      await context.unrouteAll({ behavior: "ignoreErrors" });
      await servePlatform(context, service.standin);
      for (const page of context.pages().slice(1)) await page.close();
    },
    async close(): Promise<void> {
      await context.close();
      await service.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The platform's lists of reels. */
export const nextList = "https://www.instagram.com/graphql/**";

interface Chrome {
  readonly storage: {
    readonly local: {
      get(name: string): Promise<{ readonly connection?: object }>;
      set(stored: unknown): Promise<void>;
      remove(name: string): Promise<void>;
    };
  };
}

/** Gives what the browser would ask the person for; its question is not part of any page. */
async function allow(context: BrowserContext, id: string, origins: readonly string[]): Promise<void> {
  const page = await context.newPage();
  await page.goto("chrome://extensions");
  await page.evaluate(
    async ([extension, patterns]) => {
      const { chrome } = globalThis as unknown as {
        chrome: { developerPrivate: { addHostPermission(id: string, pattern: string, done: () => void): void } };
      };
      for (const pattern of patterns)
        await new Promise<void>((resolve) => chrome.developerPrivate.addHostPermission(extension, pattern, resolve));
    },
    [id, origins] as const,
  );
  await page.close();
}

interface DomNode {
  readonly nodeName: string;
  readonly backendNodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
  readonly nodeValue?: string;
}

/** Only a debugger sees into a closed shadow root. */
async function drawn(page: Page, className: string): Promise<readonly Drawn[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { root } = (await session.send("DOM.getDocument", { depth: -1, pierce: true })) as { root: DomNode };
    const elements: Drawn[] = [];
    const waiting = [root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      waiting.push(...(node.children ?? []), ...(node.shadowRoots ?? []));
      const attributes = node.attributes ?? [];
      const valueOf = (name: string): string | undefined => {
        const nameIndex = attributes.findIndex((one, index) => index % 2 === 0 && one === name);
        return nameIndex === -1 ? undefined : attributes[nameIndex + 1];
      };
      if (valueOf("class") !== className || valueOf("hidden") !== undefined) continue;
      const box = await session
        .send("DOM.getBoxModel", { backendNodeId: node.backendNodeId })
        .then(({ model }) => model.border)
        .catch(() => undefined);
      if (box === undefined) continue;
      const [left = 0, top = 0, , , right = 0, bottom = 0] = box;
      const pressed = valueOf("aria-pressed");
      elements.push({
        x: (left + right) / 2,
        y: (top + bottom) / 2,
        label: valueOf("aria-label") ?? textOf(node),
        isPressed: pressed === undefined ? undefined : pressed === "true",
      });
    }
    return elements;
  } finally {
    await session.detach();
  }
}

const textOf = ({ nodeValue = "", children = [] }: DomNode): string => nodeValue + children.map(textOf).join("");
