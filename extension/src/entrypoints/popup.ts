import { typographic } from "@reelscript/contract/values";
import { browser } from "@wxt-dev/browser";
import { brand, button, connectPart, linkButton, note, usageRows } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { platformPattern } from "../service/base-url.ts";
import { call, asCallError } from "../service/call.ts";
import { createReelScreen } from "../panel/reel-screen.ts";
import type { Screen } from "../panel/screen.ts";
import { dropConnection, onConnectionChange, readConnection, type Connection } from "../service/connection.ts";

const root = document.querySelector("#root") ?? document.body;
void show();
onConnectionChange(() => void show());

async function show(): Promise<void> {
  const connection = await readConnection();
  const header = element("header", { class: "row" }, brand());
  if (connection === undefined) return fill(root, header, element("main", {}, connectPart(openConnectPage)));
  const [, reel] = /^#([\w-]{5,64})$/.exec(location.hash) ?? [];
  const main =
    reel === undefined
      ? element("main", {}, ...(await actionPart()), accountPart(connection))
      : reelScreen(reel, connection).node;
  const footer = element("footer", {}, "Loading your usage…");
  fill(root, header, main, footer);
  try {
    fill(footer, ...usageRows(await call("getUsage", {})));
  } catch (error) {
    fill(footer, typographic(asCallError(error).message));
  }
}

/** A reel in its own tab, where no page can cover anything. There is no video to follow or send. */
function reelScreen(code: string, connection: Connection): Screen {
  const screen = createReelScreen(code, {
    connection,
    usage: () => undefined,
    renewUsage: async () => undefined,
    tell(message) {
      if (message.type === "takeMedia") queueMicrotask(() => screen.hear({ type: "noMedia", code }));
    },
  });
  return screen;
}

async function openConnectPage(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL("/connect.html") });
  close();
}

async function actionPart(): Promise<Node[]> {
  if (!(await browser.permissions.contains({ origins: [platformPattern] })))
    return [note("warn", "Reelscript may not work on instagram.com yet.", button("Give permission", openConnectPage))];
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true, url: platformPattern });
  if (tab?.id === undefined)
    return [paragraph("Open a profile or a reel on instagram.com to analyze or transcribe it.")];
  const { id } = tab;
  const open = async (): Promise<void> => {
    await browser.tabs.sendMessage(id, { type: "openPanel" }).catch(() => browser.tabs.reload(id));
    close();
  };
  return [button("Open panel", open, { isLarge: true })];
}

const accountPart = ({ baseUrl, name = "Connected" }: Connection): HTMLElement =>
  element(
    "div",
    { class: "account" },
    paragraph(name),
    paragraph(new URL(baseUrl).host, "meta"),
    element(
      "div",
      { class: "row wrap" },
      linkButton("Library", `${baseUrl}/app/library`, { kind: "quiet", icon: "library" }),
      button("Disconnect", disconnect, { kind: "danger" }),
    ),
  );

/** Ends the token at the service too. If the service can't be reached, it stays listed under Settings, Sessions. */
async function disconnect(): Promise<void> {
  try {
    await call("disconnectExtension", {});
  } finally {
    await dropConnection();
  }
}
