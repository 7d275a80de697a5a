import { browser } from "wxt/browser";
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { runOnPage } from "../page/run-on-page.ts";

declare global {
  var isReelscriptHere: boolean | undefined;
}

export default defineUnlistedScript(() => {
  // It is put into open tabs when permission is given, and may be there already.
  if (globalThis.isReelscriptHere || browser.runtime?.id === undefined) return;
  globalThis.isReelscriptHere = true;
  runOnPage();
});
