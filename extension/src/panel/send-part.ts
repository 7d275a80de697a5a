import type { TranscribeResult } from "@reelscript/contract";
import { button, meter } from "../interface/controls.ts";
import { element } from "../interface/element.ts";
import { isMediaMessage, type FromPage } from "../messages/page-messages.ts";
import { CallError } from "@reelscript/client/core";
import { syncLibrary } from "../service/library.ts";
import { sendReelMedia } from "../service/send-reel-media.ts";
import { resultOfBegun } from "../service/transcribe.ts";
import type { PanelParts } from "./screen.ts";

/** No reel is larger; the service announces its own limit. */
const mostBytes = 200_000_000;

const noMedia = "The video of this reel isn’t in this page. Reload the page, play the reel, and try again.";

/**
 * Loads the reel's video in its page and sends it, with progress. Canceling leaves nothing behind, and is offered until the
 * service has everything.
 */
export function createSendPart(code: string, parts: PanelParts, onCancel: () => void) {
  const controller = new AbortController();
  const { signal } = controller;
  const bar = meter("Sending the reel", "voice");
  const step = element("p", { role: "status" }, "Loading the video from this page…");
  const cancel = (): void => controller.abort(new Error("canceled"));
  const cancelButton = button("Cancel", cancel, { kind: "quiet" });
  const node = element("div", { class: "collecting" }, bar.node, step, cancelButton);
  const opened = Promise.withResolvers<MessagePort>();

  /**
   * Asks through the extension, where no page can listen, with a word by which the answer is recognized: anybody may post to a
   * window.
   */
  async function receive(): Promise<Blob> {
    const nonce = crypto.randomUUID();
    addEventListener(
      "message",
      ({ data, ports: [port] }: MessageEvent<{ readonly nonce?: unknown } | null>) => {
        if (port !== undefined && data?.nonce === nonce) opened.resolve(port);
      },
      { signal },
    );
    parts.tell({ type: "takeMedia", code, mostBytes, nonce });
    return readParts(await opened.promise, (share) => bar.set(share / 2), signal);
  }

  async function run(): Promise<TranscribeResult | undefined> {
    try {
      return await send();
    } catch (error) {
      if (!signal.aborted) throw error;
      onCancel();
      return undefined;
    }
  }

  async function send(): Promise<TranscribeResult | undefined> {
    signal.addEventListener("abort", () => parts.tell({ type: "leaveMedia" }));
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason as Error));
    const media = await Promise.race([receive(), aborted.promise]);
    step.textContent = "Sending the video…";
    const answer = await sendReelMedia(code, media, (share) => bar.set(0.5 + share / 2), signal);
    cancelButton.remove();
    step.textContent = "Transcribing…";
    const begun = answer.transcription;
    const result = begun && (await resultOfBegun(begun, ({ progress }) => bar.set(progress), signal));
    await syncLibrary();
    return result;
  }

  return {
    node,
    run,
    cancel,
    hear(message: FromPage): void {
      if (message.type === "noMedia" && message.code === code) opened.reject(new CallError("invalidRequest", noMedia));
    },
  };
}

async function readParts(port: MessagePort, onShare: (share: number) => void, signal: AbortSignal): Promise<Blob> {
  const parts: ArrayBuffer[] = [];
  let received = 0;
  let total: number | null = null;
  let type = "video/mp4";
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => port.close());
    port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (!isMediaMessage(data)) return;
      switch (data.type) {
        case "begin":
          total = data.bytes;
          type = data.mediaType;
          break;
        case "part":
          received += data.buffer.byteLength;
          if (received > mostBytes) return reject(new CallError("invalidRequest", "This video is too large to send."));
          parts.push(data.buffer);
          if (total !== null) onShare(Math.min(1, received / total));
          break;
        case "end":
          return resolve(new Blob(parts, { type }));
        case "tooLarge":
          return reject(new CallError("invalidRequest", "This video is too large to send."));
        case "failed":
        case "left":
          return reject(new CallError("invalidRequest", noMedia));
      }
    });
    port.start();
  });
}
