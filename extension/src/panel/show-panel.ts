import { typographic } from "@reelscript/contract/values";
import type { Usage } from "@reelscript/contract";
import { browser } from "@wxt-dev/browser";
import { brand, connectPart, empty, icon, usageRows } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { openOwnPage } from "../interface/open-own-page.ts";
import { isFromPage, type FromPage, type FromPanel } from "../messages/page-messages.ts";
import { call, asCallError } from "../service/call.ts";
import { onConnectionChange, readConnection } from "../service/connection.ts";
import { createProfileScreen } from "./profile-screen.ts";
import { createReelScreen } from "./reel-screen.ts";
import type { PanelParts, Screen } from "./screen.ts";

type PageMessage = Extract<FromPage, { readonly type: "profile" | "reel" | "elsewhere" }>;

/** Runs the panel in the page that opened it. */
export async function showPanel(root: Element): Promise<void> {
  const port = await portOfPage(location.hash.slice(1));
  const tell = (message: FromPanel): void => port.postMessage(message);

  const close = element(
    "button",
    {
      type: "button",
      class: "button ghost icon-only at-end",
      "aria-label": "Close",
      onClick: () => tell({ type: "close" }),
    },
    icon("close"),
  );
  const footer = element("footer");
  const header = element("header", { class: "row" }, brand(), close);
  let pageMessage: PageMessage | undefined;
  let screen: Screen | undefined;
  let usage: Usage | undefined;

  async function renewUsage(): Promise<void> {
    try {
      usage = await call("getUsage", {});
      fill(footer, ...usageRows(usage));
    } catch (error) {
      fill(footer, typographic(asCallError(error).message));
    }
  }

  async function arrive(): Promise<void> {
    const connection = await readConnection();
    screen?.leave();
    screen = undefined;
    if (connection === undefined) return fill(root, header, element("main", {}, connectPart(openConnectPage)));
    if (usage === undefined) await renewUsage();
    const parts: PanelParts = { connection, tell, usage: () => usage, renewUsage };
    screen = screenOf(pageMessage, parts);
    fill(root, header, screen?.node ?? elsewherePart(), footer);
  }

  port.addEventListener("message", ({ data: message }: MessageEvent<unknown>) => {
    if (!isFromPage(message)) return;
    if (message.type !== "profile" && message.type !== "reel" && message.type !== "elsewhere")
      return screen?.hear(message);
    pageMessage = message;
    // Running work isn't discarded because the person looked at another page meanwhile.
    if (screen?.isBusy() !== true) void arrive();
  });
  port.start();
  onConnectionChange(() => {
    if (pageMessage === undefined) return;
    usage = undefined;
    void arrive();
  });
}

function screenOf(pageMessage: PageMessage | undefined, parts: PanelParts): Screen | undefined {
  if (pageMessage?.type === "profile") return createProfileScreen(pageMessage.handle, parts);
  return pageMessage?.type === "reel" ? createReelScreen(pageMessage.code, parts) : undefined;
}

const elsewherePart = (): Element =>
  element(
    "main",
    {},
    empty("Open a profile or a reel", "On a profile, create a report. On a reel, read along as it plays."),
  );

/**
 * The channel to the page that opened the panel; pending for ever in a page that framed the document itself. In Firefox a
 * document within a page of a site has no `tabs`, so the page's script brings the channel.
 */
async function portOfPage(nonce: string): Promise<MessagePort> {
  const isAnnounced: Promise<unknown> = browser.runtime.sendMessage({ type: "isPanelAnnounced", nonce });
  return new Promise((resolve) => {
    addEventListener("message", ({ data, ports: [port] }: MessageEvent<{ readonly nonce?: unknown } | null>) => {
      if (port !== undefined && data?.nonce === nonce) void isAnnounced.then((is) => is === true && resolve(port));
    });
  });
}

const openConnectPage = (): void => openOwnPage("/connect.html");
