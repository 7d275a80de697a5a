import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { chromium, type BrowserContext, type Frame, type Page, type Route, type Worker } from "playwright-core";
import { expect } from "vitest";
import { signIn, type SignedIn } from "../../../server/test/harness/sign-in.ts";
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from "../../../server/test/harness/start-test-service.ts";
import { temporaryPlace } from "../../../server/test/harness/temporary-place.ts";
import { chromiumProgram, patience } from "../../../web/test/browser/chromium-program.ts";
import { servePlatform } from "./serve-platform.ts";

const unpacked = path.resolve(import.meta.dirname, "../../.output/chrome-mv3");

export interface ExtensionTrial {
  readonly service: TestService;
  readonly context: BrowserContext;
  readonly id: string;
  readonly worker: () => Worker;
  /** Requests of the extension to the service, as `GET /app/api/usage`. */
  readonly requests: string[];
  /** Gives permission for more hosts. */
  allow(origins: readonly string[]): Promise<void>;
  /** Puts the stand-in at the address of the platform, as it is from the start. */
  servePlatform(): Promise<void>;
  /** Somebody who is signed in to the dashboard in this browser. */
  signIn(email: string): Promise<SignedIn>;
  /** A new tab that asks for the address of the service, and has it. */
  openConnect(): Promise<Page>;
  /** Connects as people do. */
  connect(): Promise<Page>;
  /** Opens a page of the platform. */
  visit(address: string, page?: Page): Promise<Page>;
  /** Presses the button on the page, and gives the panel. */
  openPanel(page: Page): Promise<Frame>;
  /** Does something while the platform's next list of reels is on its way, so that collecting can't end before. */
  beforeNextList(act: () => Promise<void>): Promise<void>;
  /** Selects all reels of a page, which has so many. */
  selectTiles(page: Page, count: number): Promise<void>;
  /** What Reelscript draws over a page, by selector of one class. */
  drawn(page: Page, className: string): Promise<readonly Drawn[]>;
  close(): Promise<void>;
}

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** Of a button that is selected or not. */
  readonly isPressed: boolean | undefined;
}

/**
 * The build that ships in Chromium, the service, and the stand-in at the address of the platform, where the person has an
 * account.
 */
export async function startExtension(options: TestServiceOptions = {}): Promise<ExtensionTrial> {
  const profile = await mkdtemp(path.join(temporaryPlace, "reelscript-extension-"));
  const [service, context] = await Promise.all([
    startTestService({ asPublicPlatform: true, ...options }),
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
  const requests: string[] = [];
  context.on("request", (request) => {
    // The dashboard asks at the same door, with cookies.
    if (request.url().startsWith(`${service.url}/app/api/`) && request.headers()["authorization"] !== undefined)
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await servePlatform(context, service.standin);
  await context.addCookies([{ name: "sessionid", value: "1", url: "https://www.instagram.com" }]);
  const started = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const [, , id = ""] = started.url().split("/");
  await allow(context, id, ["https://www.instagram.com/*", "http://127.0.0.1/*"]);

  async function openConnect(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`chrome-extension://${id}/connect.html`);
    await page.getByLabel("Address of your Reelscript").fill(service.url);
    return page;
  }

  return {
    service,
    context,
    id,
    requests,
    worker: () => context.serviceWorkers()[0] ?? started,
    allow: async (origins) => allow(context, id, origins),
    servePlatform: async () => servePlatform(context, service.standin),
    async signIn(email) {
      const person = await signIn(service, { email });
      await context.addCookies(
        person.cookie.split("; ").map((pair) => {
          const [name = "", value = ""] = pair.split("=");
          return { name, value, url: service.url, httpOnly: true, sameSite: "Lax" as const };
        }),
      );
      return person;
    },
    openConnect,
    async connect() {
      const page = await openConnect();
      await page.getByRole("button", { name: "Connect" }).click();
      await page.waitForURL(`${service.url}/**`, { waitUntil: "commit" });
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByRole("heading", { name: "Connected" }).waitFor();
      return page;
    },
    async visit(address, page) {
      const shown = page ?? (await context.newPage());
      await shown.goto(`https://www.instagram.com${address}`);
      return shown;
    },
    async openPanel(page) {
      await expect.poll(async () => (await drawn(page, "launcher")).length).toBe(1);
      const [launcher] = await drawn(page, "launcher");
      await page.mouse.click(launcher!.x, launcher!.y);
      const isPanel = (frame: Frame): boolean => frame.url().includes("/panel.html");
      await expect.poll(() => page.frames().some(isPanel)).toBe(true);
      return page.frames().find(isPanel)!;
    },
    async beforeNextList(act) {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const hold = async (route: Route): Promise<void> => {
        await released;
        await route.fallback();
      };
      await context.route("https://www.instagram.com/graphql/**", hold, { times: 1 });
      await act().finally(release);
    },
    async selectTiles(page, count) {
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
    async close() {
      await context.close();
      await service.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
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
    const found: Drawn[] = [];
    const waiting = [root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      waiting.push(...(node.children ?? []), ...(node.shadowRoots ?? []));
      const attributes = node.attributes ?? [];
      const valueOf = (name: string): string | undefined => {
        const place = attributes.findIndex((one, index) => index % 2 === 0 && one === name);
        return place === -1 ? undefined : attributes[place + 1];
      };
      if (valueOf("class") !== className || valueOf("hidden") !== undefined) continue;
      const box = await session
        .send("DOM.getBoxModel", { backendNodeId: node.backendNodeId })
        .then(({ model }) => model.border)
        .catch(() => undefined);
      if (box === undefined) continue;
      const [left = 0, top = 0, , , right = 0, bottom = 0] = box;
      const pressed = valueOf("aria-pressed");
      found.push({
        x: (left + right) / 2,
        y: (top + bottom) / 2,
        label: valueOf("aria-label") ?? textOf(node),
        isPressed: pressed === undefined ? undefined : pressed === "true",
      });
    }
    return found;
  } finally {
    await session.detach();
  }
}

const textOf = ({ nodeValue = "", children = [] }: DomNode): string => nodeValue + children.map(textOf).join("");
