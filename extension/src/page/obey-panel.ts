import type { FromPanel } from "../messages/page-messages.ts";
import { platformPlaceOf } from "../platform/place.ts";
import type { createCollector } from "./collector.ts";
import type { createMarks, createOwnReels } from "./marks.ts";
import type { createMediaSender } from "./media-sender.ts";
import type { createPanelFrame } from "./panel-frame.ts";
import type { createPlayhead } from "./playhead.ts";
import type { ReelMemory } from "./reel-memory.ts";

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
export function obeyPanel(message: FromPanel, parts: PageParts): void {
  const { panel, collector, playhead, marks, media } = parts;
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
