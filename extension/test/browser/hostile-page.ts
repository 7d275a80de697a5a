import type { Page } from "playwright-core";
import { allDoors } from "@reelscript/platform-standin";
import { beforeAll, expect, it } from "vitest";
import { giveSession } from "../../../server/test/harness/sign-in.ts";
import type { ExtensionTrial } from "./start-extension.ts";

/** This policy is at least as strict as the platform's own. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; img-src https: data:; media-src https:; connect-src 'self'; frame-src 'none'; style-src 'unsafe-inline'";

export function hostilePage(trial: ExtensionTrial): void {
  let owned: string;
  let other: string;
  let covered: string;
  const requested: string[] = [];

  beforeAll(async () => {
    const { standin } = trial.service;
    const bytes = await standin.reels[0]!.media[0]!.load();
    const added = [1, 2, 3].map((plays) => standin.addReel({ handle: "mean.loaf", bytes, plays }).code);
    owned = added[0]!;
    other = added[1]!;
    covered = added[2]!;
    const person = await giveSession(trial.service, { email: "hostile@example.com" });
    await person.api("transcribeReel", { url: `https://www.instagram.com/reel/${owned}/` });
    await trial.connectByHand("hostile@example.com");
    trial.context.on("request", (request) => void requested.push(request.url()));
  });

  const launcherIn = async (page: Page, label?: string) => {
    await expect
      .poll(async () => (await trial.drawn(page, "launcher"))[0]?.label)
      .toEqual(label ?? (expect.any(String) as string));
    return (await trial.drawn(page, "launcher"))[0]!;
  };

  it("shows nothing of the library to a page that searches, selects and measures", async () => {
    const seen = [];
    for (const [code, label] of [
      [owned, "In your library"],
      [other, "Transcribe"],
    ] as const) {
      const page = await trial.visit(`/reel/${code}/`);
      const { y } = await launcherIn(page, label);
      seen.push(await page.evaluate(spy, y));
      await page.close();
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ matches: [false, false], selected: false, frames: 0 });
  });

  it("cannot be clicked, seen into or made invisible by a page", async () => {
    const page = await trial.context.newPage();
    await page.addInitScript(() => {
      const roots: ShadowRoot[] = [];
      // oxlint-disable-next-line typescript/unbound-method -- it is called with the element that it is called on
      const { attachShadow: attachTo } = Element.prototype;
      Element.prototype.attachShadow = function attachShadow(options) {
        const root = attachTo.call(this, options);
        roots.push(root);
        return root;
      };
      Object.assign(globalThis, { roots });
    });
    await trial.visit(`/reel/${other}/`, page);
    const { x, y } = await launcherIn(page);
    const seen = await page.evaluate(
      ([left, top]) => {
        const host = document.elementFromPoint(left, top) as HTMLElement;
        host.click();
        const position = { clientX: left, clientY: top, bubbles: true, composed: true };
        for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
          host.dispatchEvent(new MouseEvent(type, position));
        host.focus();
        host.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true }));
        const hidden = { opacity: "0", transform: "scale(9)", filter: "blur(9px)", "clip-path": "inset(50%)" };
        for (const [name, value] of Object.entries(hidden)) host.style.setProperty(name, value, "important");
        const sheet = document.createElement("style");
        sheet.textContent = "div { opacity: 0 !important; display: none !important }";
        document.head.append(sheet);
        const { opacity, transform, filter, clipPath, display } = getComputedStyle(host);
        return {
          style: [opacity, transform, filter, clipPath, display],
          root: host.shadowRoot,
          roots: (globalThis as unknown as { roots: ShadowRoot[] }).roots.length,
        };
      },
      [x, y] as const,
    );
    expect(seen).toEqual({ style: ["1", "none", "none", "none", "block"], root: null, roots: 0 });
    expect(page.frames()).toHaveLength(1);
    // A person's click still does.
    const panel = await trial.openPanel(page);
    await panel.getByRole("button", { name: "Transcribe" }).waitFor();
  });

  it("takes no press of a button that the page covers or distorts", async () => {
    const page = await trial.visit(`/reel/${covered}/`);
    const panel = await trial.openPanel(page);
    const transcribe = panel.getByRole("button", { name: "Transcribe", exact: true });
    const refusal = panel.getByRole("alert").filter({ hasText: "covers the button you pressed" });
    const countSent = () => trial.requests.filter((request) => request === "POST /app/api/transcribe").length;
    const before = countSent();
    const expectRefusal = async (trick: string): Promise<void> => {
      await refusal.waitFor();
      expect(countSent(), trick).toBe(before);
      await refusal.evaluate((node) => node.remove());
    };
    // Longer than a cover that was lifted is held against a press, so that each trick is refused for its own sake.
    const settle = () => panel.evaluate(async () => new Promise((resolve) => setTimeout(resolve, 700)));
    for (const [trick, style] of Object.entries(tricks)) {
      await page.evaluate(playTrick, { trick, style });
      await transcribe.click();
      await expectRefusal(trick);
      await page.evaluate(playTrick, { trick, style: "" });
      await settle();
    }
    await page.evaluate(playTrick, { trick: "layer", style: tricks.layer });
    const isLifted = panel.evaluate(pressWhenLifted);
    await transcribe.and(panel.locator("[data-covered]")).waitFor();
    await page.evaluate(playTrick, { trick: "layer", style: "" });
    await isLifted;
    await refusal.waitFor();
    await panel.evaluate(() => Reflect.deleteProperty(performance, "now"));
    expect(countSent(), "lifted just before").toBe(before);

    const opened = trial.context.waitForEvent("page");
    await panel.getByRole("button", { name: "Open in a tab" }).click();
    const tab = await opened;
    await tab.getByRole("button", { name: "Transcribe", exact: true }).click();
    await tab.getByRole("button", { name: "Copy" }).waitFor();
    await tab.close();
    await settle();
    await transcribe.evaluate((button) => {
      for (let count = 0; count < 2; count += 1) (button as HTMLButtonElement).click();
    });
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    expect(countSent(), "one in the tab, one in the panel").toBe(before + 2);
  });

  it("shows nothing in a panel that a page frames itself", async () => {
    const page = await trial.visit(`/reel/${owned}/`);
    const panel = await trial.openPanel(page);
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    const before = trial.requests.length;
    await page.evaluate(async (address) => {
      const framed = ["", "#", `#${crypto.randomUUID()}`].map(async (hash) => {
        const frame = document.createElement("iframe");
        const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
        frame.src = address + hash;
        document.body.append(frame);
        await loaded;
        // Our script does the same, with the number that the page chose.
        const { port1, port2 } = new MessageChannel();
        frame.contentWindow?.postMessage({ nonce: hash.slice(1) }, "*", [port2]);
        port1.postMessage({ type: "profile", handle: "mean.loaf" });
      });
      await Promise.all(framed);
    }, `chrome-extension://${trial.id}/panel.html`);
    const otherPanels = page.frames().filter((frame) => frame.url().includes("/panel.html") && frame !== panel);
    expect(otherPanels).toHaveLength(3);
    // A change in the extension wakes none of these frames up.
    await trial.changeConnection({ name: "renewed@example.com" });
    const usageRequests = () => trial.requests.slice(before).filter((request) => request.endsWith("/usage"));
    await expect.poll(() => usageRequests().length).toBe(1);
    for (const frame of otherPanels) expect((await frame.locator("body").textContent())?.trim()).toBe("");
    expect(usageRequests()).toHaveLength(1);
  });

  it("loads a reel's video from the platform only, and from the port that it opened", async () => {
    await trial.context.route(/^https:\/\/evil\.example\//, async (route) => route.fulfill({ body: "mine" }));
    const page = await trial.visit(`/reel/${other}/`);
    const panel = await trial.openPanel(page);
    await page.evaluate((code) => {
      const forge = (detail: unknown): void => {
        document.dispatchEvent(new CustomEvent("reelscript:answer", { detail }));
      };
      const videos = [
        "https://evil.example/a.mp4",
        "http://127.0.0.1:1/b.mp4",
        "https://cdninstagram.com.evil.example/c",
      ];
      for (const url of videos) {
        const body = JSON.stringify({ code, pk: "1", media_type: 2, video_versions: [{ url, width: 1 }] });
        forge(JSON.stringify({ address: "/graphql/query", status: 200, body }));
        const script = document.createElement("script");
        script.type = "application/json";
        script.textContent = body;
        document.body.append(script);
      }
      for (const junk of [null, 7, "", "{", "[]", '{"address":1}', { address: "x" }, "[".repeat(1_000_000)])
        forge(junk);
      forge(
        JSON.stringify({ address: "x", status: 200, body: JSON.stringify(Array.from({ length: 400_000 }, () => 0)) }),
      );
    }, other);
    trial.service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    await panel.getByRole("button", { name: "Transcribe" }).click();
    await panel.evaluate(() => {
      // More than any page can do: none has a way to the window of the panel.
      setInterval(() => {
        for (const forged of [null, "nonce", { nonce: "forged" }])
          postMessage(forged, "*", [new MessageChannel().port1]);
      }, 1);
    });
    await panel.getByRole("button", { name: "Send this reel" }).click();
    await panel.getByRole("button", { name: "Copy" }).waitFor();
    expect(trial.requests).toContain("POST /app/api/reel-media");
    expect(requested.filter((url) => /evil\.example|127\.0\.0\.1:1\//.test(url))).toEqual([]);
  });

  it("works where the page forbids what it can, and the page learns no address of the panel", async () => {
    await trial.context.route(`https://www.instagram.com/reel/${other}/`, async (route) => {
      const answer = await fetch(`${trial.service.standin.origin}/reel/${other}/`);
      await route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": policy },
        body: await answer.text(),
      });
    });
    const page = await trial.context.newPage();
    await page.addInitScript(() => {
      const violations: string[] = [];
      document.addEventListener("securitypolicyviolation", ({ blockedURI }) => violations.push(blockedURI));
      Object.assign(globalThis, { violations });
    });
    await trial.visit(`/reel/${other}/`, page);
    const panel = await trial.openPanel(page);
    await panel.getByRole("button").first().waitFor();
    const learned = await page.evaluate(() => [
      ...(globalThis as unknown as { violations: string[] }).violations,
      ...performance.getEntries().map(({ name }) => name),
      ...Array.from(globalThis as unknown as ArrayLike<unknown>, String),
    ]);
    expect(learned.filter((one) => /extension|panel/.test(one))).toEqual([]);
  });
}

const everywhere = "position: fixed; inset: 0; width: auto; height: auto; margin: 0; z-index: 2147483647;";

/** Styles of an element that the page lays over everything and lets clicks through, or of the page itself. */
const tricks = {
  layer: `${everywhere} pointer-events: none; background: #fff`,
  "clear layer": `${everywhere} pointer-events: none; opacity: 0.01; background: #fff`,
  "layer over a part": `${everywhere} pointer-events: none; left: 1000px; width: 60px; background: #fff`,
  popover: `${everywhere} pointer-events: none; background: #fff`,
  "page with opacity": "opacity: 0.99",
  "page with filter": "filter: contrast(0.99)",
  "page with rotation": "transform: rotate(0.1deg)",
};

function playTrick({ trick, style }: { readonly trick: string; readonly style: string }): void {
  if (trick.startsWith("page")) return void (document.documentElement.style.cssText = style);
  document.querySelector("#trick")?.remove();
  if (style === "") return;
  const layer = document.createElement("div");
  Object.assign(layer, { id: "trick", popover: trick === "popover" ? "manual" : null });
  layer.style.cssText = style;
  document.documentElement.append(layer);
  if (trick === "popover") layer.showPopover();
}

/**
 * Runs in the panel and presses the button the moment it can be seen again. The panel's clock stands still meanwhile, so that
 * on a slow machine, too, the press comes just after the cover was lifted.
 */
async function pressWhenLifted(): Promise<void> {
  const stopped = performance.now();
  performance.now = () => stopped;
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Transcribe")!;
  await new Promise<void>((resolve) => {
    const options = { trackVisibility: true, delay: 100 };
    new IntersectionObserver(([entry]) => {
      if ((entry as unknown as { isVisible: boolean }).isVisible) {
        if ("covered" in button.dataset) resolve();
      } else button.dataset["covered"] = "";
    }, options as IntersectionObserverInit).observe(button);
  });
  button.click();
}

/** Everything that a page can find out about what is drawn over it, at the height of the button. */
function spy(y: number) {
  const page = globalThis as unknown as { find(text: string, ...flags: boolean[]): boolean };
  const matches = ["In your library", "library"].map((text) => {
    getSelection()?.removeAllRanges();
    return page.find(text, false, false, true);
  });
  document.execCommand("selectAll");
  const host = document.documentElement.lastElementChild as HTMLElement;
  const covered = [];
  for (let x = 0; x < innerWidth; x += 1) if (document.elementFromPoint(x, y) === host) covered.push(x);
  return {
    matches,
    selected: /library/.test(String(getSelection())),
    covered: [covered[0], covered.at(-1)],
    size: [host.scrollWidth, host.scrollHeight, host.childNodes.length, host.attributes.length],
    frames: globalThis.length,
  };
}
