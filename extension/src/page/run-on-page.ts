import { browser } from "wxt/browser";
import { isLibraryAnswer, isOpenRequest, type FromPage, type FromPanel } from "../messages/page-messages.ts";
import { placeOf, type Place } from "../platform/place.ts";
import { createCollector } from "./collector.ts";
import { createLauncher } from "./launcher.ts";
import { createLayer } from "./layer.ts";
import { createMarks } from "./marks.ts";
import { createMediaSender } from "./media-sender.ts";
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
  const known = new Set<string>();
  const asked = new Set<string>();
  let place: Place = { kind: "other" };

  const root = createLayer();
  const panel = createPanelFrame(root, {
    onConnect: () => {
      panel.tell(messageOf(place));
      collector.tell();
    },
    onMessage: (message) => obey(message),
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
  const marks = createMarks(root, {
    isInLibrary: (code) => known.has(code),
    onSeen: (codes) => void ask(codes),
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
    if (!panel.isOpen()) launcher.show(place, place.kind === "reel" && known.has(place.code));
  };

  /** Asks the extension itself, which looks it up in what it keeps. */
  async function ask(codes: readonly string[]): Promise<void> {
    const fresh = codes.filter((code) => !asked.has(code)).slice(0, 2_000);
    if (fresh.length === 0) return;
    for (const code of fresh) asked.add(code);
    const answer: unknown = await browser.runtime.sendMessage({ type: "inLibrary", codes: fresh }).catch(() => []);
    if (!isLibraryAnswer(answer) || answer.length === 0) return;
    for (const code of answer) known.add(code);
    marks.request();
    showLauncher();
  }

  function obey(message: FromPanel): void {
    switch (message.type) {
      case "collect":
        return collector.start(message.handle);
      case "pause":
        return collector.pause();
      case "resume":
        return collector.resume();
      case "finish":
        return collector.finish();
      case "forget":
        return collector.forget();
      case "seek":
        return playhead.seek(message.at);
      case "follow":
        return playhead.follow(message.isOn);
      case "select":
        return marks.select(message.isOn);
      case "library":
        asked.clear();
        known.clear();
        if (place.kind === "reel") void ask([place.code]);
        return marks.look();
      case "takeMedia":
        return sendMedia(message.code, message.mostBytes);
      case "leaveMedia":
        return media.leave();
      case "close":
        return panel.close();
    }
  }

  function sendMedia(code: string, mostBytes: number): void {
    memory.readPage();
    const url = memory.get(code)?.videoUrl;
    const channel = url ? panel.openChannel(code) : undefined;
    if (url && channel) void media.send(url, mostBytes, channel);
    else panel.tell({ type: "noMedia", code });
  }

  function look(): void {
    const next = placeOf(new URL(location.href));
    if (JSON.stringify(next) === JSON.stringify(place)) return;
    place = next;
    panel.tell(messageOf(place));
    if (place.kind === "reel") void ask([place.code]);
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
