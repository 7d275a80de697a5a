import { browser } from "@wxt-dev/browser";
import { runOnPage } from "../page/run-on-page.ts";

declare global {
  var isReelscriptHere: boolean | undefined;
}

// It is put into open tabs when permission is given, and may be there already.
if (!globalThis.isReelscriptHere && browser.runtime?.id !== undefined) {
  globalThis.isReelscriptHere = true;
  runOnPage();
}
