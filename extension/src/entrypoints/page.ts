import { browser } from "@wxt-dev/browser";
import { runOnPage } from "../page/run-on-page.ts";

declare global {
  var isReelscriptHere: boolean | undefined;
}

// The script is injected into open tabs when permission is granted, and may already be there.
if (!globalThis.isReelscriptHere && browser.runtime?.id !== undefined) {
  globalThis.isReelscriptHere = true;
  runOnPage();
}
