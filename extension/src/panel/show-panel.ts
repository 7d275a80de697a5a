import { typographic } from "@reelscript/contract/values";
import type { Usage } from "@reelscript/contract";
import { browser } from "@wxt-dev/browser";
import { brand, connectPart, empty, icon, usageRows } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { isFromPage, panelPort, type FromPage, type FromPanel } from "../messages/page-messages.ts";
import { call, asCallError } from "../service/call.ts";
import { onConnectionChange, readConnection } from "../service/connection.ts";
import { createProfileScreen } from "./profile-screen.ts";
import { createReelScreen } from "./reel-screen.ts";
import type { PanelParts, Screen } from "./screen.ts";

type PageMessage = Extract<FromPage, { readonly type: "profile" | "reel" | "elsewhere" }>;

/** Runs the panel in the page that opened it. */
export async function showPanel(root: Element): Promise<void> {
  const tab = await browser.tabs.getCurrent();
  const nonce = location.hash.slice(1);
  if (tab?.id === undefined || nonce === "") return;
  const port = browser.tabs.connect(tab.id, { frameId: 0, name: panelPort(nonce) });
  let isOpen = true;
  const tell = (message: FromPanel): void => {
    if (isOpen) port.postMessage(message);
  };

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

  port.onMessage.addListener((message: unknown) => {
    if (!isFromPage(message)) return;
    if (message.type !== "profile" && message.type !== "reel" && message.type !== "elsewhere")
      return screen?.hear(message);
    pageMessage = message;
    // Running work isn't discarded because the person looked at another page meanwhile.
    if (screen?.isBusy() !== true) void arrive();
  });
  // A page that frames the panel itself doesn't get an answer, and one that was left is gone.
  port.onDisconnect.addListener(() => {
    isOpen = false;
    screen?.leave();
    fill(root);
  });
  onConnectionChange(() => {
    if (!isOpen || pageMessage === undefined) return;
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

const openConnectPage = async (): Promise<void> =>
  void (await browser.tabs.create({ url: browser.runtime.getURL("/connect.html") }));
