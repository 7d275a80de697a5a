import layerStyle from "./layer.css?inline";
import { browser } from "@wxt-dev/browser";
import { isOpenRequest, type FromPage, type FromPanel } from "../messages/page-messages.ts";
import { pageLocationOf, type PageLocation } from "../platform/page-location.ts";
import { createCollector } from "./collector.ts";
import { createMarks, createOwnReels } from "./marks.ts";
import { createMediaSender } from "./media-sender.ts";
import { createPanelFrame, type PanelFrame } from "./panel-frame.ts";
import { createPlayhead } from "./playhead.ts";
import { createReelMemory, type ReelMemory } from "./reel-memory.ts";
import { element, fill, logo } from "../interface/element.ts";

/** Pages of the platform change their address without loading a new document, and without an event. */
const pollMilliseconds = 300;

export function runOnPage(): void {
  const memory = createReelMemory();
  const start = (): void => {
    memory.readPage();
    join(memory);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
  else start();
}

/** Connects the parts on the page: the button, the marks, the panel, and its helpers. */
function join(memory: ReelMemory): void {
  let pageLocation: PageLocation = { kind: "other" };

  const root = createLayer();
  const panel = createPanelFrame(root, {
    onConnect: () => {
      panel.tell(messageOf(pageLocation));
      collector.tell();
    },
    onMessage: (message) => (obey[message.type] as (message: FromPanel) => void)(message), // safe: by its own type
    onClose: () => {
      collector.forget();
      playhead.follow(false);
      marks.select(false);
      media.leave();
      showLauncher();
    },
  });
  const launcher = createLauncher(root, panel);
  const ownReels = createOwnReels(() => {
    marks.request();
    showLauncher();
  });
  const marks = createMarks(root, {
    isInLibrary: ownReels.has,
    onSeen: (codes) => void ownReels.ask(codes),
    onSelect: (codes) => panel.tell({ type: "selection", codes }),
  });
  const collector = createCollector(memory, (state) => {
    panel.tell(state);
    const collected = state.state === "done" ? collector.collected() : undefined;
    if (collected) panel.tell({ type: "collected", ...collected });
  });
  const playhead = createPlayhead((now) => {
    if (pageLocation.kind === "reel") panel.tell({ type: "playhead", code: pageLocation.code, ...now });
  });
  const media = createMediaSender(memory, panel);
  const obey: { readonly [Type in FromPanel["type"]]: (message: Extract<FromPanel, { type: Type }>) => void } = {
    collect: ({ handle }) => collector.start(handle),
    pause: () => collector.pause(),
    resume: () => collector.resume(),
    finish: () => collector.finish(),
    forget: () => collector.forget(),
    seek: ({ at }) => playhead.seek(at),
    follow: ({ isOn }) => playhead.follow(isOn),
    select: ({ isOn }) => marks.select(isOn),
    library() {
      ownReels.forget();
      askForReel();
      marks.look();
    },
    takeMedia: (message) => void media.send(message),
    leaveMedia: media.leave,
    close: () => panel.close(),
  };

  const showLauncher = (): void =>
    launcher.show(pageLocation, pageLocation.kind === "reel" && ownReels.has(pageLocation.code));
  const askForReel = (): void => {
    if (pageLocation.kind === "reel") void ownReels.ask([pageLocation.code]);
  };

  function look(): void {
    const next = pageLocationOf(new URL(location.href));
    if (JSON.stringify(next) === JSON.stringify(pageLocation)) return;
    pageLocation = next;
    panel.tell(messageOf(pageLocation));
    askForReel();
    showLauncher();
    marks.look();
  }

  browser.runtime.onMessage.addListener((message: unknown) => {
    if (isOpenRequest(message)) launcher.open();
  });
  look();
  setInterval(look, pollMilliseconds);
}

function messageOf(pageLocation: PageLocation): FromPage {
  if (pageLocation.kind === "profile") return { type: "profile", handle: pageLocation.handle };
  return pageLocation.kind === "reel" ? { type: "reel", code: pageLocation.code } : { type: "elsewhere" };
}

/**
 * The button on the page that opens the panel. Pages can search and select text in a closed shadow root, and find the button's
 * position, so its label is not text, and all reels have a button of the same size.
 */
function createLauncher(root: ShadowRoot, panel: PanelFrame) {
  function open(): void {
    panel.open();
    button.hidden = true;
  }
  const button = element("button", {
    type: "button",
    class: "launcher",
    hidden: true,
    onClick: (event: Event) => {
      // A page can click elements that it can't see, so only people's clicks count.
      if (event.isTrusted) open();
    },
  });
  root.append(button);
  return {
    open,
    show(pageLocation: PageLocation, isInLibrary: boolean): void {
      if (panel.isOpen()) return;
      const label = labelOf(pageLocation, isInLibrary);
      button.hidden = label === undefined;
      if (label === undefined) return;
      button.setAttribute("aria-label", label);
      button.dataset["kind"] = pageLocation.kind;
      fill(button, logo(22, "var(--ink)", "var(--sheet)"), element("span", { "data-label": label }));
    },
  };
}

function labelOf(pageLocation: PageLocation, isInLibrary: boolean): string | undefined {
  if (pageLocation.kind === "profile") return `Analyze @${pageLocation.handle}`;
  if (pageLocation.kind === "reel") return isInLibrary ? "In your library" : "Transcribe";
  return undefined;
}

/** Reelscript draws over a page in a closed shadow root, so that the page can neither read nor change what it draws. */
function createLayer(): ShadowRoot {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  addStyle(root);
  document.documentElement.append(host);
  // Pages that redraw themselves remove elements that they don't know.
  new MutationObserver(() => {
    if (!host.isConnected) document.documentElement.append(host);
  }).observe(document.documentElement, { childList: true });
  return root;
}

function addStyle(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(layerStyle);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox hands scripts of extensions a list that they cannot set.
    const style = document.createElement("style");
    style.textContent = layerStyle;
    root.append(style);
  }
}
