import { browser } from "@wxt-dev/browser";

/** Opens a page of the extension in a new tab, also where there is no `tabs`. */
export function openOwnPage(path: "/connect.html" | `/popup.html#${string}`): void {
  open(browser.runtime.getURL(path), "_blank", "noopener");
}
