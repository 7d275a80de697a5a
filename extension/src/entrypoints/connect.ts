import { browser } from "@wxt-dev/browser";
import { brand, button, icon } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { permissionsFor, readBaseUrl } from "../service/base-url.ts";
import { beginConnecting } from "../service/connect.ts";
import { readConnection, readLastAddress } from "../service/connection.ts";
import { runOnPlatform } from "../service/run-on-platform.ts";

const root = document.querySelector("#root") ?? document.body;
void show();
addEventListener("hashchange", () => void show());

async function show(): Promise<void> {
  const outcome = location.hash.slice(1);
  const connection = await readConnection();
  const header = element("header", { class: "row" }, brand());
  if (connection !== undefined && outcome === "connected")
    return fill(root, header, connectedPart(connection.name, new URL(connection.baseUrl).host));
  fill(root, header, askPart(await readLastAddress(), problemOf(outcome)));
}

const problemOf = (outcome: string): string =>
  ({
    denied: "You canceled. Nothing was connected.",
    failed: "The service didn’t accept the connection. Try again.",
    unreachable: "The service didn’t answer. Try again in a minute.",
  })[outcome] ?? "";

function connectedPart(name: string | undefined, host: string): HTMLElement {
  return element(
    "main",
    {},
    element("div", { class: "row" }, icon("check", "icon"), element("h1", {}, "Connected")),
    paragraph(name === undefined ? `Connected to ${host}.` : `Connected to ${host} as ${name}.`),
    paragraph(
      "Open a profile or a reel on instagram.com and press the Reelscript button. You can disconnect from the toolbar icon, or under Settings, Sessions.",
      "hint",
    ),
    element("a", { class: "button", href: "https://www.instagram.com/" }, "Open Instagram"),
  );
}

function askPart(address: string, problem: string): HTMLElement {
  const error = element("p", { class: "field-error", id: "problem", role: "alert" }, problem);
  const input = element("input", {
    class: "input",
    id: "address",
    type: "text",
    inputmode: "url",
    autocomplete: "url",
    spellcheck: "false",
    placeholder: "https://reels.example.com",
    "aria-describedby": "problem",
    value: address,
  });
  const say = (text: string): void => {
    error.textContent = text;
    input.setAttribute("aria-invalid", String(text !== ""));
  };
  const connect = async (): Promise<void> => {
    const read = readBaseUrl(input.value);
    if ("problem" in read) return say(read.problem);
    say("");
    // Browsers ask only during a click, so this comes before anything asynchronous.
    const isGiven = await browser.permissions.request({ origins: permissionsFor(read.baseUrl) });
    if (!isGiven) return say("Reelscript needs this permission to work on instagram.com and to reach your service.");
    try {
      await runOnPlatform();
      await beginConnecting(read.baseUrl);
    } catch {
      say("Something went wrong. Press Connect again.");
    }
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") void connect();
  });
  return element(
    "main",
    {},
    element("h1", {}, "Connect your account"),
    element(
      "div",
      { class: "field" },
      element("label", { for: "address" }, "Address of your Reelscript"),
      input,
      error,
    ),
    paragraph(
      "Your browser asks for two permissions: instagram.com, where the extension works, and this address, where it sends what you choose to send. Nothing is sent anywhere else.",
      "hint",
    ),
    button("Connect", connect, { isLarge: true }),
  );
}
