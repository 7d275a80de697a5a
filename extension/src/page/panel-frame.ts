import { browser, type Browser } from "@wxt-dev/browser";
import { element } from "../interface/element.ts";
import { isFromPanel, panelPort, type FromPage, type FromPanel } from "../messages/page-messages.ts";

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
  let port: Browser.runtime.Port | undefined;

  function close(): void {
    const last = port;
    port = undefined;
    last?.disconnect();
    frame?.remove();
    frame = window = undefined;
    nonce = "";
    needs.onClose();
  }

  browser.runtime.onConnect.addListener((opened) => {
    // A page could frame the panel's document itself, but wouldn't know the number.
    if (nonce === "" || opened.name !== panelPort(nonce)) return opened.disconnect();
    port = opened;
    opened.onMessage.addListener((message: unknown) => {
      if (isFromPanel(message)) needs.onMessage(message);
    });
    // For example, the browser closes it when it caches a page that was left.
    opened.onDisconnect.addListener(() => {
      if (port === opened) close();
    });
    needs.onConnect();
  });

  return {
    isOpen: () => frame !== undefined,
    open() {
      if (frame !== undefined) return;
      nonce = crypto.randomUUID();
      window = element("iframe", {
        src: `${browser.runtime.getURL("/panel.html")}#${nonce}`,
        title: "Reelscript",
        allow: "clipboard-write",
      });
      frame = element("div", { class: "panel" }, window);
      root.append(frame);
    },
    close,
    tell: (message) => port?.postMessage(message),
    openChannel(word) {
      const target = window?.contentWindow;
      if (!target || port === undefined) return undefined;
      const { port1, port2 } = new MessageChannel();
      target.postMessage({ nonce: word }, new URL(browser.runtime.getURL("/")).origin, [port2]);
      return port1;
    },
  };
}
