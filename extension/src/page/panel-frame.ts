import { browser } from "@wxt-dev/browser";
import { element } from "../interface/element.ts";
import { isFromPanel, type FromPage, type FromPanel } from "../messages/page-messages.ts";

/** The panel: a document of the extension, which the page can neither read nor reach. */
export interface PanelFrame {
  isOpen(): boolean;
  open(): void;
  close(): void;
  /** Does nothing while the panel isn't connected. */
  tell(message: FromPage): void;
  /** Opens a channel for bytes; the panel recognizes it by its own word. `undefined` while it isn't connected. */
  openChannel(word: string): MessagePort | undefined;
}

export function createPanelFrame(
  root: ShadowRoot,
  needs: {
    readonly onConnect: () => void;
    readonly onMessage: (message: FromPanel) => void;
    readonly onClose: () => void;
  },
): PanelFrame {
  let frame: HTMLElement | undefined;
  let window: HTMLIFrameElement | undefined;
  let nonce = "";
  let port: MessagePort | undefined;

  function close(): void {
    port?.close();
    frame?.remove();
    frame = window = port = undefined;
    nonce = "";
    needs.onClose();
  }

  // A page that the browser caches when it is left comes back without its panel.
  addEventListener("pagehide", () => {
    if (frame !== undefined) close();
  });

  /** Our end of a new channel. The other end goes to the panel's document and to no other, with a word to know it by. */
  function channelWith(word: string): MessagePort | undefined {
    const target = window?.contentWindow;
    if (!target) return undefined;
    const { port1, port2 } = new MessageChannel();
    target.postMessage({ nonce: word }, new URL(browser.runtime.getURL("/")).origin, [port2]);
    return port1;
  }

  /** Messages before the panel's answer wait in the channel. */
  function connect(): void {
    port = channelWith(nonce);
    port?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (isFromPanel(data)) needs.onMessage(data);
    });
    port?.start();
    needs.onConnect();
  }

  async function show(opened: HTMLElement): Promise<void> {
    // A page could frame the panel's document itself, but can't announce a number.
    await browser.runtime.sendMessage({ type: "announcePanel", nonce });
    if (frame === opened) root.append(opened);
  }

  return {
    isOpen: () => frame !== undefined,
    open() {
      if (frame !== undefined) return;
      nonce = crypto.randomUUID();
      window = element("iframe", {
        src: `${browser.runtime.getURL("/panel.html")}#${nonce}`,
        title: "Reelscript",
        allow: "clipboard-write",
        onLoad: connect,
      });
      frame = element("div", { class: "panel" }, window);
      // The background is gone if the extension was removed or updated meanwhile.
      show(frame).catch(close);
    },
    close,
    tell: (message) => port?.postMessage(message),
    openChannel: (word) => (port === undefined ? undefined : channelWith(word)),
  };
}
