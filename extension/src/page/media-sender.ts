import type { FromPanel, MediaMessage } from "../messages/page-messages.ts";
import type { PanelFrame } from "./panel-frame.ts";
import type { ReelMemory } from "./reel-memory.ts";

/**
 * Loads the video of a reel in the page's own origin, as the page itself does, and passes it on piece by piece. The channel
 * belongs to the extension: its other end goes to the panel's frame and to no other window.
 */
export function createMediaSender(memory: ReelMemory, panel: PanelFrame) {
  let running: AbortController | undefined;
  return {
    leave: (): void => running?.abort(),
    async send({ code, mostBytes, nonce }: Extract<FromPanel, { readonly type: "takeMedia" }>): Promise<void> {
      memory.readPage();
      const url = memory.get(code)?.videoUrl;
      const port = url ? panel.openChannel(nonce) : undefined;
      if (!url || port === undefined) return panel.tell({ type: "noMedia", code });
      running?.abort();
      const controller = new AbortController();
      running = controller;
      const post = (message: MediaMessage, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
      try {
        const response = await fetch(url, { credentials: "omit", signal: controller.signal });
        if (!response.ok || response.body === null) return post({ type: "failed" });
        const length = Number(response.headers.get("content-length"));
        if (length > mostBytes) return post({ type: "tooLarge" });
        post({ type: "begin", bytes: length > 0 ? length : null, mediaType: typeOf(response) });
        let sentBytes = 0;
        const reader = response.body.getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          sentBytes += part.value.byteLength;
          if (sentBytes > mostBytes) {
            controller.abort();
            return post({ type: "tooLarge" });
          }
          const { buffer } = part.value.slice();
          post({ type: "part", buffer }, [buffer]);
        }
        post({ type: "end" });
      } catch {
        post({ type: controller.signal.aborted ? "left" : "failed" });
      }
    },
  };
}

const typeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().slice(0, 100) || "video/mp4";
