import { browser } from "wxt/browser";
import { isOpenRequest, type FromPage } from "../messages/page-messages.ts";
import { placeOf, type Place } from "../platform/place.ts";
import { createCollector } from "./collector.ts";
import { createLauncher } from "./launcher.ts";
import { createLayer } from "./layer.ts";
import { createMarks } from "./marks.ts";
import { createMediaSender } from "./media-sender.ts";
import { obeyPanel } from "./obey-panel.ts";
import { createOwnReels } from "./own-reels.ts";
import { createPanelFrame } from "./panel-frame.ts";
import { createPlayhead } from "./playhead.ts";
import { createReelMemory, type ReelMemory } from "./reel-memory.ts";

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
    const next = placeOf(new URL(location.href));
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

const messageOf = (place: Place): FromPage =>
  place.kind === "profile"
    ? { type: "profile", handle: place.handle }
    : place.kind === "reel"
      ? { type: "reel", code: place.code }
      : { type: "elsewhere" };
