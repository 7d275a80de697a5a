import layerStyle from "./layer.css?inline";
import { browser } from "@wxt-dev/browser";
import { isOpenRequest, type FromPage, type FromPanel } from "../messages/page-messages.ts";
import { platformPlaceOf, type Place } from "../platform/place.ts";
import { createCollector } from "./collector.ts";
import { createMarks, createOwnReels } from "./marks.ts";
import { createMediaSender } from "./media-sender.ts";
import { createPanelFrame } from "./panel-frame.ts";
import { createPlayhead } from "./playhead.ts";
import { createReelMemory, type ReelMemory } from "./reel-memory.ts";
import { element, fill, logo } from "../interface/element.ts";

/** Pages of the platform change their address without loading a new document, and tell nobody. */
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

/** Connects what is on the page: the button, the marks, the panel, and what works for it. */
function join(memory: ReelMemory): void {
  let place: Place = { kind: "other" };

  const root = createLayer();
  const panel = createPanelFrame(root, {
    onConnect: () => {
      panel.tell(messageOf(place));
      collector.tell();
    },
    onMessage: (message) => obeyPanel(message, { memory, panel, collector, playhead, marks, media, ownReels }),
    onClose: () => {
      collector.forget();
      playhead.follow(false);
      marks.select(false);
      media.leave();
      showLauncher();
    },
  });
  const launcher = createLauncher(root, () => {
    panel.open();
    launcher.hide();
  });
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
    if (place.kind === "reel") panel.tell({ type: "playhead", code: place.code, ...now });
  });
  const media = createMediaSender();

  const showLauncher = (): void => {
    if (!panel.isOpen()) launcher.show(place, place.kind === "reel" && ownReels.has(place.code));
  };

  function look(): void {
    const next = platformPlaceOf(new URL(location.href));
    if (JSON.stringify(next) === JSON.stringify(place)) return;
    place = next;
    panel.tell(messageOf(place));
    if (place.kind === "reel") void ownReels.ask([place.code]);
    showLauncher();
    marks.look();
  }

  browser.runtime.onMessage.addListener((message: unknown) => {
    if (!isOpenRequest(message)) return;
    panel.open();
    launcher.hide();
  });
  look();
  setInterval(look, pollMilliseconds);
}

interface PageParts {
  readonly memory: ReelMemory;
  readonly panel: ReturnType<typeof createPanelFrame>;
  readonly collector: ReturnType<typeof createCollector>;
  readonly playhead: ReturnType<typeof createPlayhead>;
  readonly marks: ReturnType<typeof createMarks>;
  readonly media: ReturnType<typeof createMediaSender>;
  readonly ownReels: ReturnType<typeof createOwnReels>;
}

/** Does on the page what the panel asks for. */
function obeyPanel(message: FromPanel, parts: PageParts): void {
  const { panel, collector, playhead, marks, media } = parts;
  switch (message.type) {
    case "collect":
      return collector.start(message.handle);
    case "pause":
    case "resume":
    case "finish":
    case "forget":
      return collector[message.type]();
    case "seek":
      return playhead.seek(message.at);
    case "follow":
      return playhead.follow(message.isOn);
    case "select":
      return marks.select(message.isOn);
    case "library":
      return renewMarks(parts);
    case "takeMedia":
      return sendMedia(message, parts);
    case "leaveMedia":
      return media.leave();
    case "close":
      return panel.close();
  }
}

function renewMarks({ ownReels, marks }: PageParts): void {
  const place = platformPlaceOf(new URL(location.href));
  ownReels.forget();
  if (place.kind === "reel") void ownReels.ask([place.code]);
  marks.look();
}

function sendMedia(
  { code, mostBytes, nonce }: Extract<FromPanel, { readonly type: "takeMedia" }>,
  { memory, panel, media }: PageParts,
): void {
  memory.readPage();
  const url = memory.get(code)?.videoUrl;
  const channel = url ? panel.openChannel(nonce) : undefined;
  if (url && channel) void media.send(url, mostBytes, channel);
  else panel.tell({ type: "noMedia", code });
}

const messageOf = (place: Place): FromPage =>
  place.kind === "profile"
    ? { type: "profile", handle: place.handle }
    : place.kind === "reel"
      ? { type: "reel", code: place.code }
      : { type: "elsewhere" };

/**
 * The button on the page that opens the panel. Pages can search and select text in a closed shadow root, and find out where the
 * button is, so its label is no text, and all reels have a button of the same size.
 */
function createLauncher(root: ShadowRoot, open: () => void) {
  const button = element("button", {
    type: "button",
    class: "launcher",
    hidden: true,
    onClick: (event: Event) => {
      // A page may click what it cannot see; only people's clicks count.
      if (event.isTrusted) open();
    },
  });
  root.append(button);
  return {
    show(place: Place, isInLibrary: boolean): void {
      const label = labelOf(place, isInLibrary);
      button.hidden = label === undefined;
      if (label === undefined) return;
      button.setAttribute("aria-label", label);
      button.dataset["kind"] = place.kind;
      fill(button, logo(22, "var(--ink)", "var(--sheet)"), element("span", { "data-label": label }));
    },
    hide: (): void => void (button.hidden = true),
  };
}

function labelOf(place: Place, isInLibrary: boolean): string | undefined {
  if (place.kind === "profile") return `Analyze @${place.handle}`;
  if (place.kind === "reel") return isInLibrary ? "In your library" : "Transcribe";
  return undefined;
}

/** What Reelscript draws over a page: in a closed shadow root, so that the page can neither read nor change it. */
function createLayer(): ShadowRoot {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  addStyle(root);
  document.documentElement.append(host);
  // Pages that draw themselves again throw out what they do not know.
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
